import { id } from '@kit/contract'

/** Names a command that changed people; apart from the commands, so that what only names one does not carry their forms. */
export const ChangeId = id('people.change')
/** Names one line of a receipt. */
export const EffectId = id('people.change_effect')
