import type { AiWarning } from '@campus/devices/contract'
import { aiRuleApi } from '@campus/devices/contract'
import { call, daysFilter, useCan } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Select, TreeSelect } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { usePlaceChoices } from '../use-places.ts'
import { kind_options } from './ai-words.ts'
import { HeatStrip } from './heat-strip.tsx'
import type { Asked } from './use-warnings.ts'
import { useWarningSums } from './use-warnings.ts'

const days = daysFilter('from', 'to')
type Change = (patch: Record<string, string | undefined>) => void

/** What the warnings are filtered by, and at which hours they are. */
export function WarningSide({ asked, change }: { asked: Asked; change: Change }): ReactNode {
  const places = usePlaceChoices()
  const { cameras, rules } = useChoices()
  const sums = useWarningSums(asked).data
  const chosen: Partial<Record<string, string>> = asked
  const choice = (name: keyof AiWarning & string, label: string, options: readonly { value: string; label: string }[]) => (
    <div>
      <label htmlFor={`ai-${name}`}>{label}</label>
      <Select id={`ai-${name}`} className="kit-fill" allowClear showSearch={{ optionFilterProp: 'label' }} placeholder="全部" options={[...options]} value={chosen[name]} onChange={(value?: string) => change({ [name]: value })} />
    </div>
  )
  return (
    <aside className="ai-side" aria-label="筛选">
      <div>
        <label htmlFor="ai-days">日期（最多31天）</label>
        <days.Input id="ai-days" values={{ from: asked.from, to: asked.to }} change={change} />
      </div>
      {choice('warn_kind', '预警类型', kind_options)}
      <div>
        <label htmlFor="ai-place">场所</label>
        <TreeSelect id="ai-place" className="kit-fill" allowClear placeholder="全部" showSearch={{ treeNodeFilterProp: 'title' }} treeData={places} treeDefaultExpandedKeys={places.map(place => place.value)} popupMatchSelectWidth={280} value={chosen['place_id']} onChange={(place_id?: string) => change({ place_id })} />
      </div>
      {choice('camera_device_id', '摄像机', cameras)}
      {choice('rule_id', '规则', rules)}
      {sums && <HeatStrip heat={sums.heat} chosen={chosen['place_id']} choose={place_id => change({ place_id })} />}
    </aside>
  )
}

/** The cameras that feed boxes, and the rules that look through them. */
function useChoices() {
  const enabled = useCan(aiRuleApi.boxes)
  const boxes = useQuery({ queryKey: [aiRuleApi.boxes.call], queryFn: async ({ signal }) => (await call(aiRuleApi.boxes, {}, { signal, quiet: true })).list, enabled }).data
  return useMemo(() => {
    const cameras = (boxes ?? []).flatMap(box => box.cameras)
    const rules = new Map(cameras.flatMap(camera => camera.rules).map(rule => [rule.rule_id, rule.rule_name]))
    return { cameras: cameras.map(camera => ({ value: camera.device_id, label: camera.device_name })), rules: [...rules].map(([value, label]) => ({ value, label })) }
  }, [boxes])
}
