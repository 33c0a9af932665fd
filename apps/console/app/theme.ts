import type { ThemeConfig } from 'antd'

const ACCENT = '#0958d9'

/** Quiet and dense: one accent with enough contrast, 14 px text, an 8 px grid. */
export const theme: ThemeConfig = {
  token: {
    colorPrimary: ACCENT,
    colorLink: ACCENT,
    colorInfo: ACCENT,
    colorText: '#1f2329',
    colorTextPlaceholder: '#767b84',
    fontSize: 14,
    borderRadius: 4,
    fontFamily: '"PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", system-ui, sans-serif',
  },
  components: {
    Menu: { itemHeight: 34, itemMarginInline: 8, itemMarginBlock: 2, subMenuItemBg: 'transparent', itemBorderRadius: 4 },
    Table: { headerBg: '#f6f8fb', headerBorderRadius: 0, headerSplitColor: 'transparent', rowHoverBg: '#f3f7ff', cellPaddingBlockSM: 6, cellPaddingInlineSM: 8 },
  },
}
