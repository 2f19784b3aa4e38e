import geo from '@harbor/geo';
import saltbox from 'saltbox';

/** The nearest station with a bike. */
export function findBike(rider, stations) {
  return geo.nearest(rider, stations.filter((station) => station.bikes.length > 0));
}

export const findBikeOnce = (stations) => saltbox.keep((rider) => findBike(rider, stations));
