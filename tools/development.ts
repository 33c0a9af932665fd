/**
 * Loaded before the server and its commands by `npm start`, `npm run dev` and the like: development with demo data,
 * unless CAMPUS_ENV says otherwise.
 */
if (process.env.CAMPUS_ENV === undefined) {
  process.env.CAMPUS_ENV = 'dev'
  process.env.CAMPUS_PROFILE ??= 'demo'
}
