/** The icons a school may choose for its menu, by their names in the product's icon set, with the word that is read aloud. */
export const nav_icons = {
  AppstoreOutlined: '方格', HomeOutlined: '房屋', BankOutlined: '校舍', DashboardOutlined: '仪表', BarChartOutlined: '柱形图', LineChartOutlined: '折线图',
  PieChartOutlined: '饼图', TeamOutlined: '多人', UserOutlined: '个人', IdcardOutlined: '证件', ContactsOutlined: '通讯录', SolutionOutlined: '档案',
  ApartmentOutlined: '架构', ClusterOutlined: '集群', CalendarOutlined: '日历', ScheduleOutlined: '日程', ClockCircleOutlined: '时钟', CarryOutOutlined: '考勤',
  ReadOutlined: '书本', BookOutlined: '课本', TrophyOutlined: '奖杯', CrownOutlined: '荣誉', StarOutlined: '星', HeartOutlined: '爱心',
  MedicineBoxOutlined: '药箱', CarOutlined: '汽车', CoffeeOutlined: '餐饮', CreditCardOutlined: '卡片', SmileOutlined: '笑脸', SafetyOutlined: '盾牌',
  SafetyCertificateOutlined: '认证', LockOutlined: '锁', KeyOutlined: '钥匙', ControlOutlined: '控制', DesktopOutlined: '屏幕', MobileOutlined: '手机',
  VideoCameraOutlined: '摄像', NotificationOutlined: '喇叭', BellOutlined: '铃', AlertOutlined: '警报', FileTextOutlined: '文件', FolderOpenOutlined: '文件夹',
  PictureOutlined: '图片', FormOutlined: '表单', AuditOutlined: '审核', CustomerServiceOutlined: '服务', SettingOutlined: '齿轮', EnvironmentOutlined: '位置',
} as const

/** Is this one of the icons to choose from? */
export function isNavIcon(name: string): boolean {
  return name in nav_icons
}
