import { greeting } from '@harbor/brand';
import { findBike } from '@harbor/docks';
import fares from '@harbor/fares';
import geo from '@harbor/geo';
import plumbob from 'plumbob';

export function welcome(rider, stations) {
  plumbob.number(rider.lat, 'lat');
  const found = findBike(rider, stations);
  return `${greeting(rider.name)} ${found ? `A bike is ${Math.round(found.metres)} m away.` : 'No bike is near.'}`;
}

export function receipt({ zone, minutes, from, to }) {
  return `${Math.round(geo.distance(from, to) / 1000)} km: ${fares.quote({ zone, minutes }).words}`;
}
