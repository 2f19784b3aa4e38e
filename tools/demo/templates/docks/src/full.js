export const isFull = (station) => station.bikes.length >= station.docks;
