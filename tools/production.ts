/** Loaded before the server by `npm run serve`. */
process.env.CAMPUS_ENV = 'prod'
