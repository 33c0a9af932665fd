/** Parts of the form, in their order (chapter 30 §5). */
export const config_sections = ['识别', '网络', '时钟', '通行', '显示', '系统'] as const
export type ConfigSection = (typeof config_sections)[number]

/** What people call a setting. `labels`: of its choices; `danger`: a wrong value may cost the connection; `declared`: higher domains may set it for the school. */
export type ConfigWord = { key: string; section: ConfigSection; title: string; labels?: Readonly<Record<string, string>>; /** of our own devices, where other hardware leaves the meaning to its manual */ own_labels?: Readonly<Record<string, string>>; unit?: string; /** the device counts tenths of the unit that people read */ is_tenths?: true; hint?: string; danger?: true; declared?: true; /** kinds of our own devices that have it; absent: all */ types?: readonly string[] }

const [recognition, network, clock, passing, display, system] = config_sections
const on_off = { 0: '关闭', 1: '开启' } as const
const by_manual = '各取值的含义见设备说明书'
const with_face = ['01', '12'] as const
const with_door = ['01', '04', '12'] as const
const with_reader = ['01', '04', '08', '12'] as const
const with_screen = ['01', '03', '08', '12', '21'] as const
const faces = (key: string, title: string, more: Partial<ConfigWord> = {}): ConfigWord => ({ key: `face.${key}`, section: recognition, title, types: with_face, ...more })
const line = (key: string, title: string, more: Partial<ConfigWord> = {}): ConfigWord => ({ key, section: network, title, danger: true, ...more })
const door = (key: string, title: string, more: Partial<ConfigWord> = {}): ConfigWord => ({ key, section: passing, title, types: with_door, ...more })
const shown = (key: string, title: string, more: Partial<ConfigWord> = {}): ConfigWord => ({ key: `base.${key}`, section: display, title, types: with_screen, ...more })

/** Every setting that the school decides, in the order of the form. What adoption and passwords take care of is not among them. */
export const config_words: readonly ConfigWord[] = [
  faces('similarity', '相似度门槛', { hint: '越高越严格，过高会增加认不出的次数' }),
  faces('livenessOff', '活体检测', { labels: on_off }),
  faces('livenessVal', '活体门槛'),
  faces('recheck', '同一人再次识别间隔', { unit: '秒' }),
  faces('recognitionTimeout', '识别超时', { unit: '秒' }),
  faces('stranger', '陌生人提示方式', { own_labels: { 0: '不提示', 1: '屏幕提示', 2: '屏幕和语音提示' }, hint: by_manual }),
  faces('voiceMode', '语音播报方式', { own_labels: { 0: '不播报', 1: '播报姓名', 2: '播报欢迎语' }, hint: by_manual }),
  faces('voiceModeDate', '欢迎语'),
  { key: 'temp.fever_tenths', section: recognition, title: '发热阈值', unit: '℃', is_tenths: true, types: with_face, declared: true },
  line('mqtt.addr', '消息服务器地址', { hint: '例如 mqtt://192.168.1.10:1883' }),
  line('net.type', '联网方式', { labels: { 1: '以太网', 2: 'WiFi', 4: '4G' } }),
  line('net.dhcp', '取得IP的方式', { labels: { 1: '固定IP', 2: '自动获取' } }),
  line('net.ip', 'IP地址'),
  line('net.mask', '子网掩码'),
  line('net.gateway', '网关'),
  line('net.dns', 'DNS服务器', { hint: '多个用逗号隔开' }),
  line('net.ssid', 'WiFi名称'),
  line('net.psk', 'WiFi密码'),
  { key: 'ntp.server', section: clock, title: '校时服务器' },
  { key: 'ntp.timeZone', section: clock, title: '时区' },
  door('access.relayTime', '开门时长', { unit: '秒' }),
  door('access.verifyMode', '核验方式', { labels: { 0: '单人', 1: '多人同时', 2: '多因素', 3: '双人' } }),
  door('access.verifyTimeout', '组合核验超时', { unit: '秒' }),
  door('access.tamper', '防拆报警', { labels: on_off }),
  door('access.uploadToCloud', '上传抓拍照片', { labels: on_off }),
  door('access.uploadFaceScores', '上传比对分数', { labels: on_off }),
  door('access.offlineAccessNum', '离线记录条数', { hint: '存满后最早的一条会被覆盖' }),
  door('mqtt.onlinecheck', '本机未通过时在线核验', { labels: on_off, declared: true }),
  door('sys.nfc', '刷卡', { labels: on_off }),
  door('sys.pwd', '密码开门', { labels: on_off }),
  door('sys.strangerImage', '保留陌生人照片', { labels: on_off }),
  { key: 'reader.format', section: passing, title: '读卡格式', labels: { hex: '十六进制', dec10: '十位十进制', wg26: '韦根26', wg34: '韦根34' }, types: with_reader },
  { key: 'reader.byte_order', section: passing, title: '字节顺序', labels: { as_is: '原样', reversed: '反序' }, types: with_reader },
  { key: 'reader.truncation', section: passing, title: '卡号截取', labels: { none: '不截取', 6: '后6位', 8: '后8位' }, types: with_reader },
  shown('brightness', '屏幕亮度', { unit: '%', hint: '0为关闭屏幕' }),
  shown('backlight', '背光亮度', { unit: '%' }),
  shown('nirBrightness', '红外补光亮度', { unit: '%' }),
  shown('whiteLightMode', '白光补光方式', { hint: by_manual }),
  shown('volume', '音量'),
  shown('screenOff', '无操作熄屏', { unit: '分钟', hint: '0为不熄屏' }),
  shown('screensaver', '屏幕保护', { labels: on_off }),
  shown('language', '界面语言', { labels: { CN: '中文', EN: '英语', ES: '西班牙语', FR: '法语', DE: '德语', RU: '俄语', AR: '阿拉伯语', PT: '葡萄牙语', KO: '韩语' } }),
  shown('showIp', '显示IP地址', { labels: on_off }),
  shown('showSn', '显示序列号', { labels: on_off }),
  { key: 'sys.scanInterval', section: system, title: '扫码间隔', unit: '秒' },
  { key: 'intercom.server', section: system, title: '对讲服务器' },
  { key: 'intercom.port', section: system, title: '对讲端口' },
  { key: 'sys.log_level', section: system, title: '日志级别', labels: { error: '只记错误', info: '一般', debug: '详细' } },
]
