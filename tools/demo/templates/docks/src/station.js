/** What is known of one station: `docks` has the number of the bike in each dock, or `undefined`. */
export function readStation(place, docks) {
  return { ...place, docks: docks.length, bikes: docks.filter((bike) => bike !== undefined) };
}
