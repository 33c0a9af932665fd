import { bodyText, ruleApi } from '@campus/attendance/contract'
import type { RuleBody, RuleRow, RuleVersion } from '@campus/attendance/contract'
import { AppDrawer, instantText } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Timeline } from 'antd'
import type { ReactNode } from 'react'
import { LessonBar } from './lesson-bar.tsx'

const lesson_minutes = 40
const labels: Readonly<Record<string, string>> = {
  before_min: '课前开始打卡', late_grace_min: '迟到宽限', late_until_min: '迟到截止', need_out: '需要签退', out_before_min: '下课前可签退', out_after_min: '下课后可签退', early_grace_min: '早退宽限', chain_mode: '连堂',
  chain_gap_min: '连堂最长间隔', place_match: '打卡地点', identify_types: '识别方式', repeat_sec: '重复打卡合并', leave_cover_pct: '请假覆盖比例', rollcall: '教师点名', notify: '通知', alert_missing_min: '在校缺课提醒',
}

/** 版本: what a rule said since when, and what each version changed. */
export function VersionsDrawer({ rule, onClose }: { rule: RuleRow; onClose: () => void }): ReactNode {
  const query = useCall(ruleApi.versions, { id: rule.rule_id })
  return (
    <AppDrawer open width={640} title={`版本：${rule.rule_name}`} onClose={onClose}>
      <Loaded query={query}>
        {({ list }) => <Timeline items={list.map((version, at) => ({ key: version.version_no, content: <Version version={version} before={list[at + 1]?.body} /> }))} />}
      </Loaded>
    </AppDrawer>
  )
}

function Version({ version, before }: { version: RuleVersion; before: RuleBody | undefined }): ReactNode {
  const { version_no, effective_from, body, reason, created_at, created_by_name } = version
  const changed = before === undefined ? [] : differences(before, body)
  return (
    <>
      <b>第{version_no}版 · {effective_from}起生效</b>
      <p>{bodyText(body)}</p>
      {changed.length > 0 && <p>变化：{changed.join('、')}</p>}
      <LessonBar body={body} minutes={lesson_minutes} />
      <small>{created_by_name ?? '系统'} {instantText(created_at)}{reason === null ? '' : ` · ${reason}`}</small>
    </>
  )
}

function differences(before: RuleBody, after: RuleBody): string[] {
  const old = new Map(Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)]))
  return Object.entries(after).filter(([name, value]) => old.get(name) !== JSON.stringify(value)).map(([name]) => labels[name] ?? name)
}
