#!/usr/bin/env node
import { findBike, readStation } from '../index.js';

const [lat, lon] = process.argv.slice(2).map(Number);
console.log(findBike({ lat, lon }, [readStation({ name: 'Old pier', lat: 38.703, lon: -9.17 }, [42])]).place.name);
