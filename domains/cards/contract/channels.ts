import { channel, id } from '@kit/contract'
import { z } from 'zod'

/** A loss has come further, or is over: its chip is asked for again. `0` is every loss of the school. */
export const blockChannel = channel('block:{op_id}', z.object({ op_id: id('cards.op') }), { need: 'cards.card.view' })
export const every_loss = '0'
