import { NEED } from './room';

// What the caller has to do before it asks again. Five numbers at `NEED`: the kind, the file, the place in it, the size, the address.

/** To read bytes of a file to the address. */
export const READ: f64 = 1;
/** To read the whole file of the object whose id lies at the address. */
export const LOOSE: f64 = 2;
/** To read bytes of a file to the address, apart from its window. */
export const APART: f64 = 3;
/** To hold the object at the address, of a type in place of the file, against the id that lies at the place. */
export const PROVE: f64 = 4;

export function need(kind: f64, file: i32, place: u64, size: usize, address: usize): void {
  store<f64>(NEED, kind);
  store<f64>(NEED + 8, <f64>file);
  store<f64>(NEED + 16, <f64>place);
  store<f64>(NEED + 24, <f64>size);
  store<f64>(NEED + 32, <f64>address);
}
