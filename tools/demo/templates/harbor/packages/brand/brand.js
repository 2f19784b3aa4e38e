export const color = '#0b5e8a';

export const greeting = (name) => `Ahoy, ${name}!`;
