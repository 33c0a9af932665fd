import { loginApi } from '@campus/identity/contract'
import { preferenceApi } from '@campus/school/contract'

/** Addresses of a call that anybody may make, and of one that needs a session. */
export const captchaPath = `${loginApi.captcha.paths[0]}?type=nonce`
export const preferencePath = `${preferenceApi.read.paths[0]}?pref_key=quick_navs`
