import { groupFaults } from '@kit/terminal-protocol/console'
import type { Fault, SettingsAnswer, SettingValue, SettingValues } from '@kit/terminal-protocol/console'
import { useEffect, useState } from 'react'
import { ask } from '../shell/ask.ts'
import { noteUnsaved } from '../shell/place.ts'
import { say } from '../shell/toast.tsx'
import { useWork } from '../shell/use-work.ts'
import { faultText, useWords } from '../words/words.ts'

/** A group of settings being edited. Keys are `group.name`. */
export type GroupForm = {
  value: (key: string) => SettingValue
  set: (key: string, value: SettingValue) => void
  fault: (key: string) => string | undefined
  values: SettingValues
  is_changed: boolean
  is_busy: boolean
  has_secret: (key: string) => boolean
  save: () => Promise<boolean>
}
type Saving = { names?: readonly string[]; path?: string; said?: boolean }

/** Edits some settings of a group; what the terminal would refuse is refused here first, by the same rules. `path` is where they are put. */
export function useGroup(group: string, answer: SettingsAnswer, onSaved: (answer: SettingsAnswer) => void, { names, path = `settings/${group}`, said = true }: Saving = {}): GroupForm {
  const { t } = useWords()
  const { is_busy, work } = useWork()
  const [changes, setChanges] = useState<SettingValues>({})
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const held = answer.settings[group] ?? {}
  const values = { ...pick(held, names), ...changes }
  const form = `${group} ${path}`
  const is_changed = Object.entries(changes).some(([name, value]) => JSON.stringify(value) !== JSON.stringify(held[name] ?? ''))
  useEffect(() => {
    noteUnsaved(form, is_changed)
    return () => noteUnsaved(form, false)
  }, [form, is_changed])
  const save = async () => {
    const own = groupFaults(group, values)
    setFaults(own)
    if (own.length > 0) return false
    let saved: SettingsAnswer | undefined
    const refused = await work(async () => {
      saved = await ask<SettingsAnswer>('PUT', path, { values })
    })
    setFaults(refused ?? [])
    if (!saved) return false
    setChanges({})
    onSaved(saved)
    if (said) say(t('say.saved'))
    return true
  }
  const nameOf = (key: string) => key.slice(group.length + 1)
  const fault = (key: string) => {
    const found = faults.find(one => one.key === key)
    return found && faultText(t, found)
  }
  const set = (key: string, value: SettingValue) => {
    setChanges(before => ({ ...before, [nameOf(key)]: value }))
    setFaults(before => before.filter(one => one.key !== key))
  }
  return { value: key => values[nameOf(key)] ?? '', set, fault, values, is_changed, is_busy, has_secret: key => answer.has_secrets.includes(key), save }
}

function pick(values: SettingValues, names: readonly string[] | undefined): SettingValues {
  return names ? Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name))) : values
}
