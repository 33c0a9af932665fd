import type { ThemeConfig } from 'antd'

const ACCENT = '#0958d9'
/** Whoever asked his system for less motion gets none: dialogs, drawers and menus are there at once. */
const wants_motion = !matchMedia('(prefers-reduced-motion: reduce)').matches

/** Quiet and dense: one accent with enough contrast, 14 px text, an 8 px grid. */
export const theme: ThemeConfig = {
  // The styles stand in antd.css, whose every value is a variable of this theme: no page spends a third of its start on making them.
  zeroRuntime: true,
  hashed: false,
  token: {
    motion: wants_motion,
    colorPrimary: ACCENT,
    colorLink: ACCENT,
    colorInfo: ACCENT,
    colorError: '#cf1322',
    // Darker than the resting colour, not lighter as antd's own: words on and in it stay readable under the pointer.
    colorPrimaryHover: '#003eb3',
    colorLinkHover: '#003eb3',
    colorErrorHover: '#a8071a',
    colorText: '#1f2329',
    colorTextPlaceholder: '#6b7078',
    // Darker than antd's own, so that hints, empty states and the words of tags keep a contrast of 4.5.
    colorTextTertiary: '#595f69',
    // Both spellings: they end in one CSS variable, and the last one counts.
    green7: '#237804',
    'green-7': '#237804',
    orange7: '#ad4e00',
    'orange-7': '#ad4e00',
    gold7: '#874d00',
    'gold-7': '#874d00',
    cyan7: '#006d75',
    'cyan-7': '#006d75',
    fontSize: 14,
    borderRadius: 4,
    fontFamily: '"PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", system-ui, sans-serif',
  },
  components: {
    Menu: { itemHeight: 34, itemMarginInline: 8, itemMarginBlock: 2, subMenuItemBg: 'transparent', itemBorderRadius: 4 },
    Table: { headerBg: '#f6f8fb', headerBorderRadius: 0, headerSplitColor: 'transparent', rowHoverBg: '#f3f7ff', cellPaddingBlockSM: 6, cellPaddingInlineSM: 8 },
  },
}
