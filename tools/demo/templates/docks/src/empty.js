export const isEmpty = (station) => station.bikes.length === 0;
