import { channel, id } from '@kit/contract'
import { z } from 'zod'

/** A loss has come further, or is over: its chip and its readers are asked for again. */
export const blockChannel = channel('block:all', z.object({ op_id: id('cards.op') }), { need: 'cards.card.view' })
