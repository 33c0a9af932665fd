import { createContracts } from '@campus/people/server'
import type { NewContract } from '@campus/people/server'
import type { Payee, payeesOf } from './payees.ts'
import { spread } from './spread.ts'
import type { Work } from './school-work.ts'
import { startOfDay } from './school-year.ts'

const day_ms = 86_400_000
const pupils_signed = 2970
const staff_signed = 96
const terminating = 14
/** Terminations on which the channel has been silent for more than a day. */
const silent = 3
const channels = ['1', '2', '1', '1', '3'] as const

type Payees = Awaited<ReturnType<typeof payeesOf>>

/** Payment agreements: of 76 % of the pupils, fourteen of them on their way out (chapter 20 §8), and of some staff. */
export async function fillContracts({ db, school_id, today }: Work, { pupils, staff }: Payees): Promise<void> {
  const now = startOfDay(today).getTime()
  const contract = ({ user_id, payer_user_id }: Payee, at: number, person_kind: number): NewContract => ({
    user_id, signer_user_id: payer_user_id, person_kind, product: at % 10 < 7 ? 'quick_pay' : 'auto_recharge', channel: channels[at % channels.length] ?? '1',
    contract_no: `2026${String(person_kind)}${String(at * 7919 + 10_000_019).padStart(11, '0')}`, state: 'signed', signed_at: new Date(now - (5 + (at % 80)) * day_ms - (at % 600) * 60_000),
  })
  const signed = spread(pupils, pupils_signed).map((one, at) => contract(one, at, 1))
  const step = Math.floor(signed.length / terminating)
  const ending = signed.map((one, at) => (at % step === 0 && at / step < terminating ? endingOf(one, now, at / step < silent) : one))
  await createContracts(db, school_id, [...ending, ...spread(staff, staff_signed).map((one, at) => contract(one, at, 2))])
}

function endingOf(contract: NewContract, now: number, is_silent: boolean): NewContract {
  if (is_silent) return { ...contract, state: 'terminating', ended_at: new Date(now - 2 * day_ms), needs_check: true, fail_msg: '支付渠道24小时未答复，请与支付渠道核对' }
  return { ...contract, state: 'terminating', ended_at: new Date(now) }
}
