import { messageTemplate } from './template.ts'

/** Lines about what happens below messages, where nobody may call `send` (chapter 10 M8). */
export const alertTemplates = {
  accountLocked: messageTemplate({
    code: 'identity.account_locked', name: '账号被锁定', fields: { until: 16 }, field_names: { until: '锁定至' }, channels: [2, 3],
    title: '您的账号已被临时锁定',
    body: '密码连续输错次数过多，账号锁定至{until}。若非本人操作，请尽快修改密码并联系学校管理员。',
  }),
  passwordChanged: messageTemplate({
    code: 'identity.password_changed', name: '密码已修改', fields: { who: 10, at: 16 }, field_names: { who: '修改人', at: '时间' }, channels: [],
    title: '您的登录密码已被修改',
    body: '密码于{at}由{who}修改。若您不知情，请立即联系学校管理员。',
  }),
  sessionStolen: messageTemplate({
    code: 'identity.session_stolen', name: '登录凭证被复制', fields: { device: 60, at: 16 }, field_names: { device: '设备', at: '时间' }, channels: [2, 3],
    title: '您的登录凭证可能已被他人复制',
    body: '设备“{device}”的登录凭证于{at}被再次使用，该登录已强制退出。若非本人操作，请立即修改密码并联系学校管理员。',
  }),
  rememberStolen: messageTemplate({
    code: 'identity.remember_stolen', name: '记住的登录被复制', fields: { at: 16 }, field_names: { at: '时间' }, channels: [2, 3],
    title: '您记住的登录可能已被他人复制',
    body: '浏览器为您记住的登录凭证于{at}被再次使用，由它记住的登录已全部失效，下次登录请重新输入密码。若非本人操作，请立即修改密码并联系学校管理员。',
  }),
  superEntered: messageTemplate({
    code: 'identity.super_entered', name: '超级管理员进入本校', fields: { who: 50, at: 16, reason: 60 }, field_names: { who: '管理员', at: '时间', reason: '原因' }, channels: [],
    title: '平台超级管理员进入了本校',
    body: '超级管理员{who}于{at}进入本校，原因：{reason}。其操作可在系统操作日志中查看。',
  }),
  memberEnding: messageTemplate({
    code: 'identity.member_ending', name: '角色即将到期', fields: { role: 20, day: 10 }, field_names: { role: '角色', day: '最后一天' }, channels: [],
    title: '您的“{role}”身份即将到期',
    body: '您的“{role}”身份将在{day}后失效。如需继续使用，请联系学校管理员延长。',
  }),
  membersEnding: messageTemplate({
    code: 'identity.members_ending', name: '成员即将到期', fields: { count: 6, names: 120 }, field_names: { count: '人数', names: '名单' }, channels: [],
    title: '{count}名成员的角色将在7天内到期',
    body: '{names}。需要延长的，请在角色成员设置中办理。',
  }),
  jobFinished: messageTemplate({
    code: 'job.finished', name: '后台任务结束', fields: { title: 40, result: 15 }, field_names: { title: '任务', result: '结果' }, channels: [],
    title: '{title}：{result}',
    body: '后台任务“{title}”{result}。可在右上角“任务中心”查看进度、下载结果；文件过期后会自动删除。',
  }),
  chainBroken: messageTemplate({
    code: 'audit.chain_broken', name: '日志完整性异常', fields: { journal: 10, count: 8 }, field_names: { journal: '日志', count: '处数' }, channels: [2, 3, 4],
    title: '日志完整性校验发现异常',
    body: '{journal}有{count}处与封存时不一致，请尽快由系统管理员核查。',
  }),
}
