import { lazy } from 'react'

/** The person's own dialogs that the palette opens. */
export const ownDialogs = {
  password: lazy(() => import('../account/password-dialog.tsx').then((part) => ({ default: part.PasswordDialog }))),
  devices: lazy(() => import('../account/devices-dialog.tsx').then((part) => ({ default: part.DevicesDialog }))),
  identity: lazy(() => import('../account/identity-dialog.tsx').then((part) => ({ default: part.IdentityDialog }))),
  about: lazy(() => import('../account/about-dialog.tsx').then((part) => ({ default: part.AboutDialog }))),
}
export type OwnDialog = keyof typeof ownDialogs
