import { messageTemplate } from '@campus/messages/contract'

/** Messages of the devices domain: what somebody has to go and look at. */
export const devicesTemplates = {
  offline: messageTemplate({
    code: 'devices.offline', name: '设备离线', fields: { names: 54, at: 16 }, field_names: { names: '设备', at: '最后联系' }, channels: [2],
    title: '设备离线：{names}',
    body: '{names}自{at}起没有联系，人员和规则的变更暂时不能下发。请检查电源和网络，恢复后自动补发。',
  }),
  outage: messageTemplate({
    code: 'devices.outage', name: '消息服务中断', fields: { at: 16, count: 8 }, field_names: { at: '开始', count: '设备数' }, channels: [2, 3],
    title: '消息服务中断',
    body: '消息服务自{at}起中断，{count}台设备的状态正在确认。门禁仍按设备上已有的名单放行，通行记录恢复后自动补传；变更暂时不能下发。请联系系统管理员。',
  }),
  alarm: messageTemplate({
    code: 'devices.alarm', name: '设备报警', fields: { kind: 8, device: 50, place: 60, at: 16 }, field_names: { kind: '报警', device: '设备', place: '场所', at: '时间' }, channels: [2, 3],
    title: '{kind}：{device}',
    body: '“{device}”（{place}）于{at}报警：{kind}。请立即到现场确认。',
  }),
  warning: messageTemplate({
    code: 'devices.warning', name: 'AI预警', fields: { kind: 10, place: 60, camera: 48, at: 16 }, field_names: { kind: '预警', place: '场所', camera: '摄像机', at: '时间' }, channels: [2],
    title: '{kind}：{camera}',
    body: '{at}“{camera}”（{place}）发现{kind}。请到现场确认，并在AI预警记录中处理。',
  }),
  configTrial: messageTemplate({
    code: 'devices.config_trial', name: '设备配置试点失败', fields: { profile: 30, device: 50, reason: 60 }, field_names: { profile: '配置方案', device: '试点设备', reason: '原因' }, channels: [2],
    title: '设备配置试点失败：{profile}',
    body: '“{profile}”的网络设置在“{device}”上没有通过：{reason}。修改已自动撤回，其他设备没有受影响。试点设备若仍离线，请到现场检查它的网络设置。',
  }),
  upgradeHeld: messageTemplate({
    code: 'devices.upgrade_held', name: '固件升级暂停', fields: { version: 40, reason: 60 }, field_names: { version: '版本', reason: '原因' }, channels: [2],
    title: '固件升级已暂停：{version}',
    body: '升级到{version}的任务已自动暂停：{reason}。其他设备没有继续升级，请在“设备配置”的“固件升级”中查看原因后重试或取消。',
  }),
  recordLost: messageTemplate({
    code: 'devices.record_lost', name: '离线记录可能被覆盖', fields: { device: 47, place: 60, count: 12 }, field_names: { device: '设备', place: '场所', count: '可能缺少' }, channels: [2],
    title: '离线期间记录可能被覆盖：{device}',
    body: '“{device}”（{place}）离线时间过长，可能已存满并覆盖了最早的记录，{count}通行记录可能已经缺少；其余记录正在补传。请核对这段时间的考勤，并检查这台设备的网络。',
  }),
  identity: messageTemplate({
    code: 'devices.identity', name: '设备身份不符', fields: { device: 47, place: 60 }, field_names: { device: '设备', place: '场所' }, channels: [2],
    title: '身份不符：{device}',
    body: '“{device}”（{place}）用别的设备的序列号上报了数据，这些数据没有采用。可能接错了设备或有人冒用，请到现场核对序列号，并更换它的密钥。',
  }),
  localSchedule: messageTemplate({
    code: 'devices.local_schedule', name: '设备本机设置了常闭时段', fields: { device: 47, place: 60 }, field_names: { device: '设备', place: '场所' }, channels: [2],
    title: '设备本机设置了常闭时段：{device}',
    body: '“{device}”（{place}）按它自己保存的常闭时段拒绝了有权限的人，平台看不到这些时段。请在设备自己的管理页面上删除常闭时段，改用“门禁规则”。',
  }),
  capacity: messageTemplate({
    code: 'devices.capacity', name: '设备容量不足', fields: { device: 50, most: 8, count: 8, names: 60 }, field_names: { device: '设备', most: '最多人数', count: '未下发人数', names: '人员' }, channels: [],
    title: '设备容量不足：{device}',
    body: '“{device}”最多保存{most}人，有{count}人没有下发，暂时不能在这里通行：{names}。请缩小通行范围、清理不需要的人员或更换设备。',
  }),
  massHeld: messageTemplate({
    code: 'devices.mass_held', name: '批量删除等待确认', fields: { names: 50, count: 8, share: 4 }, field_names: { names: '设备', count: '人数', share: '占比' }, channels: [2],
    title: '批量删除等待确认：{names}',
    body: '一次变更要从{names}删除{count}人（占{share}%），已暂停下发，这些人现在仍能通行。如果不是有意的，请先改回权限；确实要删除的，请在“设备管理”上方的提示中填写原因并确认。',
  }),
  wiped: messageTemplate({
    code: 'devices.wiped', name: '设备数据丢失', fields: { device: 47, place: 60, count: 8 }, field_names: { device: '设备', place: '场所', count: '人数' }, channels: [2],
    title: '设备数据丢失，正在重建：{device}',
    body: '“{device}”（{place}）上的人员数据已丢失，正在自动重建，共{count}人。完成前部分人员暂时不能在这里通行，请安排人工放行或走其他通道，进度见“设备管理”的同步一栏。',
  }),
  foreign: messageTemplate({
    code: 'devices.foreign', name: '设备上有外来数据', fields: { device: 47, place: 60, count: 8, unless: 30 }, field_names: { device: '设备', place: '场所', count: '条数', unless: '不处理的后果' }, channels: [2],
    title: '发现不是平台下发的数据：{device}',
    body: '核对“{device}”（{place}）时发现{count}条不是由平台下发的数据，可能有人在设备上自行添加了人员。请在“设备管理”打开这台设备的“差异”，逐条决定保留或删除，并更换设备密码。{unless}',
  }),
  foreignGone: messageTemplate({
    code: 'devices.foreign_gone', name: '外来数据到期删除', fields: { device: 47, place: 60, count: 8 }, field_names: { device: '设备', place: '场所', count: '条数' }, channels: [],
    title: '外来数据到期删除：{device}',
    body: '“{device}”（{place}）上有{count}条不是由平台下发的数据，24小时内没有人决定，已按学校设置从设备删除（设备离线的在恢复连接后删除）。明细见“设备管理”里这台设备的“差异”已处理一栏。',
  }),
  lostData: messageTemplate({
    code: 'devices.lost_data', name: '遗失设备上的数据', fields: { device: 47, count: 8, faces: 8, names: 60 }, field_names: { device: '设备', count: '人数', faces: '照片数', names: '人员' }, channels: [2],
    title: '遗失设备上仍有人员数据：{device}',
    body: '“{device}”已登记为遗失，上面仍有{count}人的数据（含{faces}张人脸照片）：{names}。平台已拒绝它连接，但不能远程清除。请尽快找回，并按信息安全制度告知有关人员。',
  }),
}
