import { forgetRemembered } from './attempt.ts'
import { messages } from './call.ts'
import type { Answer } from './call.ts'
import { getPasswordSet } from './calls.ts'
import { enter } from './enter.ts'
import { resumed } from './form-state.ts'
import type { Form } from './form-state.ts'
import { isSuperEntry } from './identity-list.ts'
import { nextStep } from './login-flow.ts'
import type { NextStep } from './login-flow.ts'
import type { Login } from './login-state.ts'
import { fallback_page } from './navigation.ts'
import { otherAccount } from './session-storage.ts'
import { refreshStaleCaptcha } from './surroundings.ts'
import { showToast } from './toast.tsx'
import type { LoginReply, RoleEntry } from './wire.ts'

/** Goes the way from an answered login into the console, through the dialogs on it. */
export async function follow(login: Login, answer: Answer<LoginReply>, account: string, school_id = login.visit.school_id): Promise<void> {
  const step = nextStep(answer, { school_id, school_type: login.get().face?.school_type })
  if (step.kind === 'password') return askForPassword(login, step)
  if (step.kind === 'message') {
    if (step.forget_password) forgetPassword(login)
    login.set({ busy: false, dialog: null })
    return showToast(step.msg)
  }
  const take = async (entry: RoleEntry, reason?: string) => {
    login.set({ busy: true })
    const entered = await enter({ ...step.offer, entry, account, has_school_id: school_id !== undefined, reason })
    if (entered.kind === 'go') return arrived(login, entered.path)
    if (entered.retry) login.set({ busy: false })
    else leaveDialog(login, form => form)
    return showToast(entered.msg)
  }
  if (step.kind === 'enter' && !isSuperEntry(step.entry)) return take(step.entry)
  return askForIdentity(login, step.kind === 'enter' ? { ...step, kind: 'choose', preselected: step.entry } : step, take)
}

/** Asks before an automatic sign-in replaces another account that is signed in here (platform rule S8). */
export async function askToSwitch(login: Login, answer: Answer<LoginReply>, proceed: () => Promise<void>): Promise<void> {
  const other = answer.kind === 'ok' ? otherAccount(answer.data.user_id) : null
  if (other === null) return proceed()
  const loaded = await import('./switch-dialog.tsx').catch(lost)
  if (!loaded) return
  const stay = () => location.assign(fallback_page)
  login.set({ busy: false, dialog: <loaded.SwitchDialog login={login} account={other} onSwitch={proceed} onStay={stay} /> })
}

async function askForIdentity(login: Login, step: Extract<NextStep, { kind: 'choose' }>, take: (entry: RoleEntry, reason?: string) => void): Promise<void> {
  const loaded = await import('./identity-dialog.tsx').catch(lost)
  const close = () => leaveDialog(login, form => form)
  const { preselected, offer } = step
  login.set({
    busy: false,
    dialog: loaded && <loaded.IdentityDialog login={login} list={offer.identities} preselected={preselected} onChoose={take} onClose={close} />,
  })
}

/** Opens the console; what a login provider said before is offered first, once. */
async function arrived(login: Login, path: string): Promise<void> {
  const { offer } = login.get()
  const loaded = offer && (await import('./provider/bind-dialog.tsx').catch(() => null))
  const go = () => location.assign(path)
  if (!offer || !loaded) return go()
  login.set({ offer: null, dialog: <loaded.BindDialog offer={offer} onDone={go} /> })
}

async function askForPassword(login: Login, step: Extract<NextStep, { kind: 'password' }>): Promise<void> {
  const [loaded, rule] = await Promise.all([import('./password-dialog.tsx').catch(lost), getPasswordSet(step.school_id)])
  const leave = () => leaveDialog(login, withoutPassword)
  const done = () => {
    forgetPassword(login)
    leave()
    showToast('修改成功', 'success')
  }
  login.set({
    busy: false,
    dialog: loaded && <loaded.PasswordDialog code={step.code} rule={rule.kind === 'ok' ? rule.data : null} onDone={done} onLeave={leave} />,
  })
}

function leaveDialog(login: Login, change: (form: Form) => Form): void {
  login.set({ busy: false, dialog: null })
  login.set(resumed(change(login.get().form)))
  refreshStaleCaptcha(login)
}

/** A remembered password that is dead: nothing of it stays, here or in the browser. */
function forgetPassword(login: Login): void {
  forgetRemembered()
  login.set(resumed(withoutPassword(login.get().form)))
}

function withoutPassword(form: Form): Form {
  return { ...form, password: '', remember_token: null }
}

/** A dialog's code did not arrive. */
function lost(): null {
  showToast(messages.network)
  return null
}
