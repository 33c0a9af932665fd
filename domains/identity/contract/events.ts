import { event, id, Instant } from '@kit/contract'
import { z } from 'zod'

const Member = z.object({ role_no: id('identity.role_member'), role_id: id('identity.role'), user_id: id('identity.account') })
const Account = z.object({ user_id: id('identity.account') })
const Session = z.object({ session_id: z.uuid(), user_id: id('identity.account'), role_no: id('identity.role_member'), app_code: z.string().nullable() })

/**
 * What the identity domain tells the others (chapter 90 §3); rights and memberships are read from its views. A membership that begins or ends by
 * its dates tells nothing at that moment.
 */
export const identityEvents = {
  roleChanged: event('identity.role.changed', z.object({ role_id: id('identity.role') })),
  memberStarted: event('identity.member.started', z.object({ members: z.array(Member) })),
  /** memberships that end within seven days; each is told once of each end */
  memberEnding: event('identity.member.ending', z.object({ members: z.array(z.object({ role_no: id('identity.role_member'), role_name: z.string(), user_id: id('identity.account'), user_name: z.string(), last_day: z.string() })) })),
  memberEnded: event('identity.member.ended', z.object({ members: z.array(Member) })),
  /** a person has got a login name and a first password */
  accountCreated: event('identity.account.created', Account),
  accountDisabled: event('identity.account.disabled', Account),
  accountEnabled: event('identity.account.enabled', Account),
  /** too many wrong passwords; told in every school of the account */
  accountLocked: event('identity.account.locked', Account.extend({ until: Instant })),
  /** `app_code` null: the console; otherwise the one sub-application it is for */
  sessionStarted: event('identity.session.started', Session),
  /** `reason` as the session keeps it; many at once are several events of at most 500 */
  sessionRevoked: event('identity.session.revoked', z.object({ reason: z.string(), sessions: z.array(Session) })),
  /** somebody has used a copy of a refresh secret: the session is over, whoever holds it (S2) */
  sessionStolen: event('identity.session.stolen', Session.pick({ session_id: true, user_id: true }).extend({ device_label: z.string() })),
  /** somebody has used a copy of a remembered login (S7): what followed from it is over; told in every school of the account */
  rememberStolen: event('identity.remember.stolen', Account.extend({ at: Instant })),
  /** a super account has come into the school; `user_name`: its name there, or its login name */
  superEntered: event('identity.super.entered', z.object({ user_name: z.string(), reason: z.string() })),
  /** `by_self` is false where somebody else has reset it */
  passwordChanged: event('identity.password.changed', z.object({ user_ids: z.array(id('identity.account')), by_self: z.boolean() })),
}
