import { effectSentence, passwordSetApi } from '@campus/identity/contract'
import type { PasswordEffect, PasswordSetRow } from '@campus/identity/contract'
import { configApi, schoolApi } from '@campus/school/contract'
import { call, readStored, useCan } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { ruleOfValues } from './rule-words.ts'
import type { RuleValues } from './rule-words.ts'

const school_id = () => Number(readStored('school_id'))

/** The rule of the school as it stands. */
export function useRule() {
  return useQuery({ queryKey: [passwordSetApi.detail.call], queryFn: ({ signal }) => call(passwordSetApi.detail, {}, { signal, quiet: true }) })
}

/** What the caller may change: the rule, and the strong mode, which stands with the school's configuration. */
export function useMay(): { edit: boolean; strong: boolean } {
  const edit = useCan(passwordSetApi.update)
  return { edit, strong: useCan(configApi.update) && edit }
}

/** Whom the rule would touch once it is saved. */
export async function askEffect(row: PasswordSetRow, values: RuleValues): Promise<{ effect: PasswordEffect; sentence: string | null }> {
  const draft = { ...ruleOfValues(values), row_version: row.row_version, is_password_strong: flagOf(values) }
  const { effect } = await call(passwordSetApi.update, { ...draft, dry: 1 }, { quiet: true })
  return { effect, sentence: effectSentence(effect) }
}

/** Saves the strong mode first, which somebody else may have changed meanwhile, then the rule. */
export async function saveRule(row: PasswordSetRow, values: RuleValues): Promise<void> {
  if (values.is_password_strong !== row.is_password_strong) {
    const { config_version } = await call(schoolApi.config, { id: school_id() }, { quiet: true })
    await call(configApi.update, { id: school_id(), config_version, values: { is_password_strong: flagOf(values) } }, { quiet: true })
  }
  await call(passwordSetApi.update, { ...ruleOfValues(values), row_version: row.row_version }, { quiet: true })
}

function flagOf({ is_password_strong }: RuleValues): 0 | 1 {
  return is_password_strong === 1 ? 1 : 0
}
