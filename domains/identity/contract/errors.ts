import { failures } from '@kit/contract'

/** Every user-facing failure of login, sessions and passwords (chapter 10 §2, §3). */
export const identityErrors = failures('identity', {
  badCipher: [400, '登录信息已失效，请刷新后重试'],
  tooFast: [429, '请求过于频繁，请稍后再试'],
  captchaWrong: [422, '验证码错误或已过期'],
  badCredential: [422, '用户名或密码错误，连续输错{n}次将锁定10分钟'],
  passwordDefault: [200, '您正在使用初始密码，请修改密码后登录', 6005],
  passwordExpired: [200, '您的密码已过期或不符合安全要求，请修改密码后登录', 6006],
  accountVulnerable: [200, '账号存在漏洞，请联系超级管理员重置密码后登录。', 6007],
  roleMismatch: [403, '无权限查看'],
  webBlocked: [403, '您无法在当前客户端登陆，请联系管理人员。'],
  ticketInvalid: [401, '登录已失效，请重新登录'],
  oldPasswordWrong: [422, '旧密码错误'],
  passwordWrong: [422, '密码错误'],
  passwordRule: [422, '请输入{n}-64位大小写字母、数字和特殊符号的任意三种组合'],
  passwordStrong: [422, '密码格式不正确,请输入8-16位字母（大小写）、数字组合'],
  passwordSimple: [422, '密码过于简单，请更换'],
  passwordReused: [422, '不能与最近使用过的密码相同'],
  rememberInvalid: [422, '记住密码已失效，请重新输入密码'],
  usernameTaken: [409, '账号已存在'],
  userNoTaken: [409, '人员编号已被占用'],
  alreadyMember: [409, '该人员已有此角色'],
  nameTaken: [409, '名称已存在'],
  hashBusy: [503, '登录人数较多，请稍后再试'],
})
