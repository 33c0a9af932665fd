import { ask } from '../login/call.ts'
import type { Answer } from '../login/call.ts'

export type VisitorField = { field_code: string; label: string; required: boolean; options: string[] | null; note: string }
/** What a public address shows (chapter 20 §4 Registration); the page loads no contracts. */
export type VisitorForm = { kind: 'register' | 'season'; school_name: string; title: string; is_open: boolean; message: string | null; end_time: string | null; fields: VisitorField[]; materials: string[]; lottery: { seed_hash: string; seed: string | null } | null }
export type VisitorAnswer = { apply_no: string; state: string; state_label: string; reason: string | null }
export type Captcha = { image: string | null; key: string }
type Proof = { cap_key: string; captcha: string }
export type Submitted = Proof & { act: 'submit'; field_scene: number; is_new: number; mobile: string; values: Readonly<Record<string, string>> }
export type Asked = Proof & { act: 'status'; apply_no: string; id_last4: string }

const pathOf = (key: string) => `/api/v2/register/public/${encodeURIComponent(key)}`

/** The form behind a key. */
export function getForm(key: string, field_scene: number): Promise<Answer<VisitorForm>> {
  return ask({ method: 'GET', path: pathOf(key), query: { field_scene } })
}

/** Sends the form in, or asks how it stands. */
export function postAct(key: string, body: Submitted | Asked): Promise<Answer<VisitorAnswer>> {
  return ask({ method: 'POST', path: pathOf(key), body })
}

/** A picture captcha, the same as for a login. */
export function getCaptcha(): Promise<Answer<Captcha>> {
  return ask({ method: 'GET', path: '/web/captcha', query: { type: 'login' } })
}
