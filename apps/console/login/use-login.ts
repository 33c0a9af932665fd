import { checkLoginForm } from '@kit/contract/checks'
import { useEffect, useEffectEvent } from 'react'
import type { AutoLogin, Visit } from './address.ts'
import { forgetRemembered, keepRemembered, sendLogin } from './attempt.ts'
import { postLogin } from './calls.ts'
import { switchDialog } from './dialogs.tsx'
import { withoutPassword } from './form-state.ts'
import { fallback_page } from './navigation.ts'
import { otherAccount } from './storage.ts'
import { showToast } from './toast.tsx'
import { useCaptcha } from './use-captcha.ts'
import { useForm } from './use-form.ts'
import { useSchool } from './use-school.ts'
import type { School } from './use-school.ts'
import { useWayIn } from './use-way-in.ts'

/** A new picture follows every attempt after this time (platform rule P3). */
const REFRESH_AFTER_MS = 1000

/** Everything the login page does: the form, its captcha, the school of the address, and the way into the console. */
export function useLogin(visit: Visit) {
  const school = useSchool(visit.school_id)
  const captcha = useCaptcha()
  const fields = useForm()
  const forgetPassword = () => {
    forgetRemembered()
    fields.resume(withoutPassword)
  }
  const way = useWayIn(visit, forgetPassword)
  const renewCaptcha = () => {
    captcha.refresh()
    fields.resume(form => ({ ...form, captcha: '' }))
  }

  const submit = async () => {
    const { form } = fields
    const failure = checkLoginForm({ ...form, ...passwordRule(school), remembered: form.remember_token !== null })
    if (failure) {
      showToast(failure.msg, 'warning', failure.duration_ms)
      return fields.pointAt(failure.field)
    }
    if (captcha.state !== 'ready' || !captcha.captcha) return captcha.refresh()
    way.setBusy(true)
    const face = school.state === 'ready' ? school.face : await school.load()
    const answer = await sendLogin(form, captcha.captcha, face, visit.school_id)
    setTimeout(renewCaptcha, REFRESH_AFTER_MS)
    if (answer.kind === 'ok') {
      const remember_token = keepRemembered(form, answer.data)
      if (form.remember_token !== null) fields.change(now => ({ ...now, remember_token }))
    }
    await way.follow(answer, face, form.account)
  }

  const arrive = useEffectEvent(() => {
    if (visit.auto) void enterByAddress(visit.auto, school, way)
  })
  useEffect(() => arrive(), [])
  const close = () => leaveDialog(way, captcha, () => fields.resume(form => form))
  const leave = () => leaveDialog(way, captcha, () => fields.resume(withoutPassword))
  const passwordChanged = () => {
    leaveDialog(way, captcha, forgetPassword)
    showToast('修改成功', 'success')
  }
  return { school, captcha, ...fields, busy: way.busy, dialog: way.dialog, submit, renewCaptcha, close, leave, passwordChanged }
}

function leaveDialog(way: ReturnType<typeof useWayIn>, captcha: ReturnType<typeof useCaptcha>, then: () => void): void {
  way.close()
  captcha.refreshStale()
  then()
}

/** The automatic sign-in of the address; who is signed in here already is asked first (platform rule S8). */
async function enterByAddress(auto: AutoLogin, school: School, way: ReturnType<typeof useWayIn>): Promise<void> {
  const [answer, face] = await Promise.all([postLogin(auto.path, auto.body), school.load()])
  const account = answer.kind === 'ok' ? answer.data.user_no : ''
  const other = answer.kind === 'ok' ? otherAccount(answer.data.user_id) : null
  const go = () => void way.follow(answer, face, account)
  return other === null ? go() : way.show(await switchDialog(other, go, () => location.assign(fallback_page)))
}

/** Strong mode is known only at a school's own address (platform rule P1); the upper bound is the school's (P4). */
function passwordRule({ face, password_set }: School) {
  return { strong: face?.is_password_strong === 1, login_max: password_set?.login_max }
}
