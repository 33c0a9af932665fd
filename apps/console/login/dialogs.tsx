import { getPasswordSet } from './calls.ts'
import type { IdentityDialog } from './identity-dialog.tsx'
import type { NextStep } from './login-flow.ts'
import type { PasswordDialog } from './password-dialog.tsx'
import type { SwitchDialog } from './switch-dialog.tsx'
import type { PasswordSet, RoleEntry } from './wire.ts'

/** An open dialog; each comes with its view, because dialogs are not part of the first paint. */
export type Dialog =
  | { kind: 'identity'; View: typeof IdentityDialog; list: readonly RoleEntry[]; preselected: RoleEntry | null; onChoose: (entry: RoleEntry) => void }
  | { kind: 'password'; View: typeof PasswordDialog; code: string; rule: PasswordSet | null }
  | { kind: 'switch'; View: typeof SwitchDialog; account: string; onSwitch: () => void; onStay: () => void }

/** Fetches the identity dialog; null when the network refuses. */
export async function identityDialog(step: Extract<NextStep, { kind: 'choose' }>, onChoose: (entry: RoleEntry) => void): Promise<Dialog | null> {
  const loaded = await import('./identity-dialog.tsx').catch(() => null)
  return loaded && { kind: 'identity', View: loaded.IdentityDialog, list: step.offer.identities, preselected: step.preselected, onChoose }
}

/** Fetches the password dialog and the rule of the school that asks for the change; null when the network refuses. */
export async function passwordDialog(step: Extract<NextStep, { kind: 'password' }>): Promise<Dialog | null> {
  const [loaded, rule] = await Promise.all([import('./password-dialog.tsx').catch(() => null), getPasswordSet(step.school_id)])
  return loaded && { kind: 'password', View: loaded.PasswordDialog, code: step.code, rule: rule.kind === 'ok' ? rule.data : null }
}

/** Fetches the question whether to leave the account signed in here; null when the network refuses. */
export async function switchDialog(account: string, onSwitch: () => void, onStay: () => void): Promise<Dialog | null> {
  const loaded = await import('./switch-dialog.tsx').catch(() => null)
  return loaded && { kind: 'switch', View: loaded.SwitchDialog, account, onSwitch, onStay }
}

type Handlers = { busy: boolean; onClose: () => void; onLeave: () => void; onPasswordChanged: () => void }

/** Draws the open dialog. */
export function OpenDialog({ dialog, busy, onClose, onLeave, onPasswordChanged }: Handlers & { dialog: Dialog }) {
  if (dialog.kind === 'identity') return <dialog.View {...dialog} busy={busy} onClose={onClose} />
  if (dialog.kind === 'password') return <dialog.View {...dialog} onLeave={onLeave} onDone={onPasswordChanged} />
  return <dialog.View {...dialog} busy={busy} />
}
