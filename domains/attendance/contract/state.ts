import { dict } from '@kit/contract'

/** What the judgement says of one person and one expectation (chapter 55 §1.1). */
export const ATTEND_STATE = dict('ATTEND_STATE', {
  '1': '正常', '2': '迟到', '3': '早退', '4': '缺勤(旷课)', '5': '请假', '6': '未到打卡时间', '7': '补签', '8': '外勤', '9': '免考勤', '10': '待核实',
})
export const ATTEND_WAY = dict('ATTEND_WAY', { '1': '刷卡', '2': '人脸', '3': '二维码', '4': '手动点名', '5': '电子班牌', '6': '定位', '7': '补录' })

/** The same states by name, for the program. */
export const attend_states = {
  present: 1, late: 2, early: 3, absent: 4, leave: 5, early_to_say: 6, made_up: 7, outside: 8, exempt: 9, unverified: 10,
} as const

/** Bits of `flags` (chapter 55 §3.6). */
export const attend_flags = {
  carried: 1, leave_present: 2, wrong_room: 4, no_out: 8, conflict: 16, proxy_suspect: 32, clock: 64, no_rule: 128, in_school: 256, not_in_school: 512, late_and_early: 1024, bulk: 2048, unverified: 4096, moved: 8192,
} as const
export const flag_names: Readonly<Record<keyof typeof attend_flags, string>> = {
  carried: '连堂', leave_present: '请假期间到场', wrong_room: '在其他教室打卡', no_out: '未签退', conflict: '点名与打卡不一致', proxy_suspect: '疑似代打卡', clock: '设备时钟异常', no_rule: '未设置规则',
  in_school: '在校', not_in_school: '不在校', late_and_early: '迟到且早退', bulk: '批量补录', unverified: '未核实', moved: '课表后改',
}

export const expect_kinds = { lesson: 1, clock: 2, exam: 3 } as const
export const person_kinds = { student: 1, staff: 2 } as const
