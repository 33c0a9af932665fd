import { useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { openingForm, resumed } from './form-state.ts'
import type { Fields, Form } from './form-state.ts'
import type { Offer } from './provider/offer.ts'
import type { Visit } from './visit.ts'
import type { Captcha, PasswordSet, SchoolFace } from './wire.ts'

/** Everything the login page shows. */
export type LoginState = Fields & {
  /** `captcha` is the one shown; while loading still the previous one */
  captcha_state: 'loading' | 'ready' | 'failed'
  captcha: Captcha | null
  /** `ready` at the root at once; `failed` when the school of the address could not be asked */
  school_state: 'loading' | 'ready' | 'failed'
  /** null at the root and for an address nobody knows */
  face: SchoolFace | null
  password_set: PasswordSet | null
  /** something is under way: the button spins */
  busy: boolean
  dialog: ReactNode
  /** an account of a login provider that nobody is bound to yet */
  offer: Offer | null
}

export type Login = {
  visit: Visit
  get: () => LoginState
  set: (change: Partial<LoginState>) => void
  subscribe: (listener: () => void) => () => void
}

/** The state of one login page. It lives outside React, so that the code that drives it can come after the first paint. */
export function createLogin(visit: Visit): Login {
  const listeners = new Set<() => void>()
  let state: LoginState = {
    ...resumed(openingForm()),
    captcha_state: 'loading', captcha: null,
    school_state: visit.school_id === undefined ? 'ready' : 'loading', face: null, password_set: null,
    busy: false, dialog: null, offer: null,
  }
  return {
    visit,
    get: () => state,
    set: change => {
      state = { ...state, ...change }
      listeners.forEach(listener => listener())
    },
    subscribe: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The present state; the component renders again when it changes. */
export function useLogin(login: Login): LoginState {
  return useSyncExternalStore(login.subscribe, login.get)
}

/** Applies an edit of the form by hand; the mark of the last failed check goes. */
export function edit(login: Login, change: (form: Form) => Form): void {
  login.set({ form: change(login.get().form), invalid: null })
}
