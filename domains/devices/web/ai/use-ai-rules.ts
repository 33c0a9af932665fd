import { aiRuleApi } from '@campus/devices/contract'
import type { AiCamera, AiRule, RuleBox } from '@campus/devices/contract'
import { call, useCan } from '@kit/web'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useReadAgain } from '../rule/rule-table.tsx'

/** What is read again when a rule has changed. */
export const ai_rule_reads = [aiRuleApi.page, aiRuleApi.boxes] as const
const [ask_again_ms, most_asked] = [2000, 15] as const
const on_the_way: readonly RuleBox['state'][] = ['pending', 'sent', 'unknown']

/** The cameras that a rule of a kind may look through. */
function useValidCameras(warn_kind: AiRule['warn_kind'] | undefined) {
  return useQuery({
    queryKey: [aiRuleApi.valid_devices.call, warn_kind], enabled: warn_kind !== undefined, placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<AiCamera[]> => (warn_kind === undefined ? [] : (await call(aiRuleApi.valid_devices, { warn_kind }, { signal, quiet: true })).list),
  })
}

/** A camera to choose; what does not fit is only there because it is chosen. */
export type CameraChoice = { id: string; name: string; place: string | null; is_fit: boolean }

/** The cameras to choose from: those that can, those that the rule has already, and those that were chosen before another kind was. */
export function useCameraChoices(warn_kind: AiRule['warn_kind'] | undefined, rule: AiRule | null, chosen: readonly string[]): CameraChoice[] {
  const { data: valid = [], isPlaceholderData: is_old } = useValidCameras(warn_kind)
  const [met, setMet] = useState<ReadonlyMap<string, Omit<CameraChoice, 'is_fit'>>>(new Map((rule?.cameras ?? []).map(camera => [camera.camera_device_id, choiceOf(camera)])))
  if (valid.some(camera => !met.has(camera.camera_device_id))) setMet(new Map([...met, ...valid.map(camera => [camera.camera_device_id, choiceOf(camera)] as const)]))
  const fit = new Set(valid.map(camera => camera.camera_device_id))
  const has = (id: string) => warn_kind === rule?.warn_kind && rule?.cameras.some(camera => camera.camera_device_id === id)
  return [...met.values()].filter(({ id }) => fit.has(id) || chosen.includes(id) || has(id)).map(camera => ({ ...camera, is_fit: is_old || fit.has(camera.id) || has(camera.id) === true }))
}

function choiceOf({ camera_device_id, camera_name, node_path_name }: Pick<AiRule['cameras'][number], 'camera_device_id' | 'camera_name' | 'node_path_name'>) {
  return { id: camera_device_id, name: camera_name, place: node_path_name }
}

/** The roles that can be told. */
export function useAiRoles() {
  const enabled = useCan(aiRuleApi.roles)
  return useQuery({ queryKey: [aiRuleApi.roles.call], queryFn: async ({ signal }) => (await call(aiRuleApi.roles, {}, { signal, quiet: true })).list, enabled })
}

/** Boxes with their cameras. */
export function useBoxes() {
  return useQuery({ queryKey: [aiRuleApi.boxes.call], queryFn: async ({ signal }) => (await call(aiRuleApi.boxes, {}, { signal, quiet: true })).list, placeholderData: keepPreviousData })
}

/** Reads the rules again, and what is told of them elsewhere. */
export function useAiRulesChanged(): () => Promise<void> {
  return useReadAgain(ai_rule_reads)
}

/** A box that is here answers within moments: as long as one has not, the rules are read again, for half a minute. */
export function useBoxesAnswering(rules: readonly AiRule[]): void {
  const waiting = rules.flatMap(rule => rule.boxes.flatMap(box => (box.online && on_the_way.includes(box.state) ? [`${rule.rule_id} ${rule.row_version} ${box.device_id}`] : []))).join()
  const [asked, setAsked] = useState({ waiting, times: 0 })
  const client = useQueryClient()
  const times = asked.waiting === waiting ? asked.times : 0
  useEffect(() => {
    if (waiting === '' || times >= most_asked) return undefined
    const timer = setTimeout(() => {
      setAsked({ waiting, times: times + 1 })
      void client.invalidateQueries({ queryKey: [aiRuleApi.page.call] })
    }, ask_again_ms)
    return () => clearTimeout(timer)
  }, [client, waiting, times])
}
