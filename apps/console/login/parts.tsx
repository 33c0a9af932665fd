/* What comes after the first paint, fetched as one piece. */
export { CaptchaPicture } from './captcha-picture.tsx'
export { start, submit } from './control.ts'
export { loadSm2 } from './attempt.ts'
export { refreshStaleCaptcha } from './surroundings.ts'
export { Extras } from './extras.tsx'
export { Providers } from './providers.tsx'
export { SchoolLogo } from './school-logo.tsx'
export { Toasts } from './toast.tsx'
