import ts from 'typescript5'
import type { Finding } from '../finding.ts'
import { isTest, lineOf, walk } from './source.ts'
import type { Source } from './source.ts'

/** What is shown in two languages, and where its sentences stand. */
const bilingual = /^apps\/terminal-console\/.*\.tsx?$/
const dictionary = /^apps\/terminal-console\/words\/(zh|en)\.ts$/
/** Attributes that people read or hear. */
const read_attributes = ['label', 'title', 'placeholder', 'alt', 'aria-label', 'aria-description', 'text', 'note', 'hint', 'yes', 'no']
/** Functions that show what they are given. */
const showing_calls = ['say', 'alert', 'confirm', 'prompt']
const letter = /\p{L}/u
/** The name of a sentence; whether there is one, the compiler knows. */
const key = /^[a-z_]+(\.[\w]+)+$/u
const choosing = [ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken, ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.PlusToken]
const chinese = /\p{Script=Han}/u

/** In a bilingual package a sentence stands in the two dictionaries and nowhere else (chapter 31 §7): no text in JSX, in an attribute that is read or in a call that shows it, and no Chinese at all. */
export function checkWords({ file, tree }: Source): Finding[] {
  if (!tree || !bilingual.test(file) || dictionary.test(file) || isTest(file)) return []
  const found = [...walk(tree)].filter(node => isShown(node) || (isText(node) && chinese.test(node.text)))
  return found.map(node => ({ file, line: lineOf(tree, node), rule: 'untranslated', message: 'this sentence belongs into the two dictionaries' }))
}

function isShown(node: ts.Node): boolean {
  if (ts.isJsxText(node)) return letter.test(node.text)
  if (ts.isJsxExpression(node)) return node.expression !== undefined && !ts.isJsxAttribute(node.parent) && hasLetters(node.expression)
  if (ts.isCallExpression(node)) return ts.isIdentifier(node.expression) && showing_calls.includes(node.expression.text) && node.arguments.some(hasLetters)
  if (!ts.isJsxAttribute(node) || !read_attributes.includes(node.name.getText())) return false
  const value = node.initializer
  return value !== undefined && (ts.isStringLiteral(value) ? hasLetters(value) : ts.isJsxExpression(value) && value.expression !== undefined && hasLetters(value.expression))
}

/** Whether an expression comes to a text that is written here, in any of its branches. */
function hasLetters(node: ts.Node): boolean {
  if (isText(node)) return letter.test(node.text) && !key.test(node.text)
  if (ts.isParenthesizedExpression(node)) return hasLetters(node.expression)
  if (ts.isConditionalExpression(node)) return hasLetters(node.whenTrue) || hasLetters(node.whenFalse)
  if (ts.isBinaryExpression(node)) return choosing.includes(node.operatorToken.kind) && (hasLetters(node.left) || hasLetters(node.right))
  return ts.isTemplateExpression(node) && (hasLetters(node.head) || node.templateSpans.some(span => hasLetters(span.literal) || hasLetters(span.expression)))
}

function isText(node: ts.Node): node is ts.LiteralLikeNode {
  return ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)
}
