import { useCan, usePage } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import type { TagChoice } from './tag-choice.ts'

/** The code rather than the endpoint: the contract of tags is fetched with their list, after the roll. */
export const tag_code = 'people.tag.edit'
const kept_ms = 60_000
const none: readonly TagChoice[] = []

/** The tags in use, for whoever may tag; none for everybody else. */
export function useTagChoices(): readonly TagChoice[] {
  const { active } = usePage()
  const allowed = useCan(tag_code)
  const { data = none } = useQuery({
    queryKey: ['tag-choices'],
    queryFn: async () => (await import('./read-choices.ts')).readChoices(),
    enabled: active && allowed,
    staleTime: kept_ms,
  })
  return data
}
