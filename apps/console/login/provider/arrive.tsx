import { autoLoginOf } from '../auto-login.ts'
import type { AutoLogin } from '../auto-login.ts'
import { messages } from '../call.ts'
import type { Answer } from '../call.ts'
import { postLogin } from '../calls.ts'
import type { Login } from '../login-state.ts'
import { loadSchool } from '../surroundings.ts'
import { showToast } from '../toast.tsx'
import { askToSwitch, follow } from '../way-in.tsx'
import type { LoginReply } from '../wire.ts'
import { readOffer } from './offer.ts'

/** Long enough to read what to do next. */
const READING_MS = 6000

/** Somebody came with parameters in the address: back from a provider, with a login link, or to the page of the test provider. */
export async function arrive(login: Login): Promise<void> {
  const query = new URLSearchParams(login.visit.search)
  const [shape, state] = [query.get('test_login'), query.get('state')]
  if (shape && state) return showTestAccounts(login, shape, state)
  const auto = autoLoginOf(login.visit.search)
  if (auto) return enterByAddress(login, auto)
  if (query.get('error')) showToast('第三方登录已取消，请重新选择登录方式', 'warning', READING_MS)
}

/** The automatic sign-in of the address; who is signed in here already is asked first (platform rule S8). */
async function enterByAddress(login: Login, auto: AutoLogin): Promise<void> {
  login.set({ busy: true })
  const answer = await postLogin(auto.path, auto.body)
  if (login.visit.school_id !== undefined) await loadSchool(login)
  if (answer.kind === 'refused' && endsHere(login, answer)) return
  const proceed = () => follow(login, answer, answer.kind === 'ok' ? answer.data.user_no : '', login.visit.school_id ?? auto.school_id)
  return askToSwitch(login, answer, proceed)
}

/** Nobody is bound: the way on is the form, and what was said stays offered. Or it was a test, whose result stands elsewhere. */
function endsHere(login: Login, answer: Extract<Answer<LoginReply>, { kind: 'refused' }>): boolean {
  if (answer.error_id === 'identity.providerTested') {
    void import('./tested-dialog.tsx').then(({ TestedDialog }) => login.set({ busy: false, dialog: <TestedDialog login={login} msg={answer.msg} /> }), lost(login))
    return true
  }
  if (answer.error_id !== 'identity.notBound') return false
  login.set({ busy: false, offer: readOffer(answer.data) })
  showToast(answer.msg, 'warning', READING_MS)
  return true
}

async function showTestAccounts(login: Login, shape: string, state: string): Promise<void> {
  const loaded = await import('./test-dialog.tsx').catch(lost(login))
  if (loaded) login.set({ dialog: <loaded.TestDialog login={login} shape={shape} state={state} /> })
}

function lost(login: Login): () => void {
  return () => {
    login.set({ busy: false })
    showToast(messages.network)
  }
}
