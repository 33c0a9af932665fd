import { ask, messages, readAnswer } from '../login/call.ts'
import type { Answer } from '../login/call.ts'

export type VisitorField = { field_code: string; label: string; required: boolean; options: string[] | null; note: string }
export type VisitorMaterial = { name: string; upload: 'none' | 'optional' | 'required' }
/** What a public address shows (chapter 20 §4 Registration); the page loads no contracts. */
export type VisitorForm = { kind: 'register' | 'season'; school_name: string; title: string; is_open: boolean; message: string | null; end_time: string | null; fields: VisitorField[]; materials: VisitorMaterial[]; lottery: { seed_hash: string; seed: string | null } | null }
export type VisitorAnswer = { apply_no: string; state: string; state_label: string; reason: string | null }
export type Captcha = { image: string | null; key: string }
type Proof = { cap_key: string; captcha: string }
export type Submitted = Proof & { act: 'submit'; field_scene: number; is_new: number; mobile: string; values: Readonly<Record<string, string>>; files: readonly { material: string; file_key: string }[] }
/** Forms of the store, by kind of file. */
export type UploadForms = { forms: { kind: string; host: string; dir: string; fields: Readonly<Record<string, string>>; max_size: number }[] }
export type Asked = Proof & { act: 'status'; apply_no: string; id_last4: string }

/** A photo over a slow line takes its time, and so does looking at every one of them. */
const upload_ms = 180_000
const pathOf = (key: string) => `/api/v2/register/public/${encodeURIComponent(key)}`

/** The form behind a key. */
export function getForm(key: string, field_scene: number): Promise<Answer<VisitorForm>> {
  return ask({ method: 'GET', path: pathOf(key), query: { field_scene } })
}

/** Sends the form in, or asks how it stands. */
export function postAct(key: string, body: Submitted | Asked): Promise<Answer<VisitorAnswer>> {
  return ask({ method: 'POST', path: pathOf(key), body, ...('files' in body && body.files.length > 0 ? { patience_ms: upload_ms } : {}) })
}

/** A picture captcha, the same as for a login. */
export function getCaptcha(): Promise<Answer<Captcha>> {
  return ask({ method: 'GET', path: '/web/captcha', query: { type: 'login' } })
}

/** Asks for forms by which documents are uploaded for an hour; spends the captcha. */
export function postUploads(key: string, body: Proof): Promise<Answer<UploadForms>> {
  return ask({ method: 'POST', path: `${pathOf(key)}/upload`, body })
}

/** Sends one file by a form: its name first, the file last. */
export async function sendFile({ host, dir, fields }: UploadForms['forms'][number], name: string, file: File): Promise<Answer<{ key: string }>> {
  const form = new FormData()
  form.append('key', dir + name)
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('file', file, name)
  try {
    const response = await fetch(host, { method: 'POST', body: form, signal: AbortSignal.timeout(upload_ms) })
    return readAnswer(response.status, await response.text())
  } catch (error) {
    return { kind: 'lost', msg: error instanceof DOMException && error.name === 'TimeoutError' ? messages.timeout : messages.network }
  }
}
