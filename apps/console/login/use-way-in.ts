import { useState } from 'react'
import type { Visit } from './address.ts'
import { messages } from './call.ts'
import type { Answer } from './call.ts'
import { identityDialog, passwordDialog } from './dialogs.tsx'
import type { Dialog } from './dialogs.tsx'
import { enter } from './enter.ts'
import type { Entering } from './enter.ts'
import { nextStep } from './login-flow.ts'
import { showToast } from './toast.tsx'
import type { LoginReply, RoleEntry, SchoolFace } from './wire.ts'

/** The way from an answered login into the console: the dialogs on it, and whether something is under way. */
export function useWayIn(visit: Visit, forgetPassword: () => void) {
  const [busy, setBusy] = useState(visit.auto !== null)
  const [dialog, setDialog] = useState<Dialog | null>(null)

  const show = (opened: Dialog | null) => {
    setBusy(false)
    setDialog(opened)
    if (!opened) showToast(messages.network)
  }
  const close = () => {
    setBusy(false)
    setDialog(null)
  }
  const arrive = async (entering: Entering) => {
    setBusy(true)
    const entered = await enter(entering)
    if (entered.kind === 'go') return location.assign(entered.path)
    setBusy(false)
    if (!entered.retry) setDialog(null)
    showToast(entered.msg)
  }
  const follow = async (answer: Answer<LoginReply>, face: SchoolFace | null, account: string) => {
    const step = nextStep(answer, { school_id: visit.school_id, school_type: face?.school_type })
    if (step.kind === 'message') {
      close()
      showToast(step.msg)
      return step.forget_password ? forgetPassword() : undefined
    }
    if (step.kind === 'password') return show(await passwordDialog(step))
    const take = (entry: RoleEntry) => arrive({ ...step.offer, entry, account, has_school_id: visit.school_id !== undefined })
    if (step.kind === 'enter') return take(step.entry)
    return show(await identityDialog(step, take))
  }
  return { busy, setBusy, dialog, show, close, follow }
}
