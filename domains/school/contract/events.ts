import { event } from '@kit/contract'
import { z } from 'zod'

/** What the school domain tells the others (chapter 90 §3); values are read from school_config_v and dictionary_v. */
export const schoolEvents = {
  configChanged: event('school.config.changed', z.object({ keys: z.array(z.string()), config_version: z.number().int() })),
  /** 2 active, 3 suspended, 4 closed; consumers hear of it in a suspended school too */
  stateChanged: event('school.state.changed', z.object({ state: z.number().int() })),
  /** the menu or the modules were changed: open consoles read theirs again */
  navChanged: event('school.nav.changed', z.object({ nav_version: z.number().int() })),
  dictChanged: event('school.dict.changed', z.object({ sc_code_type: z.string() })),
}
