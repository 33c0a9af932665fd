import { demo_card_uids } from '@kit/terminal-protocol'
import type { TrayCard } from './virtual-reader.ts'

/** A card of the first one, whose number was written with its bytes turned round: a reader that is set wrong tells it so. */
const turned = '5E15832A'
const blank = ['D13A55E1', 'D13A55E2'] as const
const social: TrayCard = { uid_hex: 'D13A55F0', name: '社保卡', social: { no_digest: 'b5d4045c3f466fa91fe2cc6abe79232a1a57cdf104f7a26e716e0a1e2789df78', area: '330100' } }

/** The cards that lie beside the virtual reader: some of the demo school's people, blank ones, one written the other way round, a social card. */
export const demo_tray: readonly TrayCard[] = [
  ...demo_card_uids.map((uid_hex, at) => ({ uid_hex, name: `校园卡 ${at + 1}` })),
  { uid_hex: turned, name: '校园卡 1（反码）' },
  ...blank.map((uid_hex, at) => ({ uid_hex, name: `空白卡 ${at + 1}` })),
  social,
]
