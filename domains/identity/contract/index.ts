export { identityErrors } from './errors.ts'
export { CaptchaReply, Cipher, ForcedPasswordBody, LoginBody, loginApi, LoginReply, OwnPasswordBody, PasswordSet, RefreshReply, RoleEntry, TokenQuery, TokenReply } from './login.ts'
export { RoleGroupRow, sessionApi, SessionRow, UserCard } from './session.ts'
