import { expect, test } from 'vitest'
import { cleanCue } from '../../../server/media/subtitles/clean.ts'

const clean = (text: string, settings = '') => cleanCue({ start: 1000, end: 9000, settings, text })

test.each([
  ['<b>bold</b> <i>italic</i> <u>under</u>', '<b>bold</b> <i>italic</i> <u>under</u>'],
  ['<B>old</B>', '<b>old</b>'],
  ['<font color="#ff0000" face=\'x\'>red</font>', 'red'],
  ['one<br>two<br/>three<BR />', 'one\ntwo\nthree'],
  ['<c.loud.bg_blue>x</c>', '<c.loud.bg_blue>x</c>'],
  ['<c.a"b.--.>x</c>', '<c.ab>x</c>'],
  ['<ruby>base<rt>top</rt></ruby><rt>not here</rt>', '<ruby>base<rt>top</rt></ruby>not here'],
  ["<v.loud Mary O'Brien>Hi", '<v.loud Mary O’Brien>Hi</v>'],
  ['<v Tom &amp; Jerry>Hi</v>', '<v Tom Jerry>Hi</v>'],
  ['<v onclick="alert(1)" -->Hi', '<v onclickalert1>Hi</v>'],
  ['<v>Hi</v>', 'Hi'],
  ['<lang en-GB>colour</lang>', '<lang en-GB>colour</lang>'],
  ['<lang "--x-->y', '<lang x>y</lang>'],
  ['<b onclick=alert(1)>x</b>', '<b>x</b>'],
])('tags of %j', (text, expected) => expect(clean(text)?.text).toBe(expected))

test.each([
  ['<b><i>x</b>y</i>', '<b><i>x</i></b>y'],
  ['<b>x', '<b>x</b>'],
  ['x</b>', 'x'],
])('what is opened is closed: %s', (text, expected) => expect(clean(text)?.text).toBe(expected))

test('nobody nests tags without end', () =>
  expect(clean(`${'<b>'.repeat(1000)}x`)?.text).toBe(`${'<b>'.repeat(16)}x${'</b>'.repeat(16)}`))

test('times in a text must be inside of the cue and grow', () =>
  expect(clean('a<00:00.500>b<00:02.000>c<00:00:02.000>d<00:00:03.000>e<00:09.000>f<1:2>')?.text).toBe(
    'ab<00:00:02.000>cd<00:00:03.000>ef&lt;1:2&gt;',
  ))

test.each([
  ['a<script>alert(1)</script>b', 'ab'],
  ['a<SCRIPT src=x>alert("<b>")</ScRiPt >b', 'ab'],
  ['a<style>@import "x"; a > b {}</style>b', 'ab'],
  ['a<script>alert(1)', 'a'],
  ['a<script/src=x>b</script>c', 'ac'],
  ['<img src=x onerror=alert(1)>a', 'a'],
  ['<a href="javascript:alert(1)">a</a>', 'a'],
  ['<svg/onload=alert(1)>a', 'a'],
  ['<!-- a -->b<?php c ?>', 'b'],
  ['<<script>script>a</script>b', '&lt;b'],
  ['<scr<b>ipt>a', '&lt;scr<b>ipt&gt;a</b>'],
  ['<img src=x onerror=alert(1) ', '&lt;img src=x onerror=alert(1)'],
  ['<scr\0ipt>a</script>b', 'b'],
  ['<scr{\\x}ipt>a', 'a'],
  ['&lt;script&gt;', '&lt;script&gt;'],
])('nothing is left to run of %j', (text, expected) => expect(clean(text)?.text).toBe(expected))

test.each([
  ['Q&A, R&amp;D, &lt;3, a&nbsp;b', 'Q&amp;A, R&amp;D, &lt;3, a&nbsp;b'],
  ['&quot;&#39;&amp', '&amp;quot;&amp;#39;&amp;amp'],
  ['1 < 2 > 0, I <3 you, </3', '1 &lt; 2 &gt; 0, I &lt;3 you, &lt;/3'],
  ['a --> b', 'a --&gt; b'],
  ['  a  \n\n \t\n b\x07', 'a\nb'],
])('text is escaped: %j', (text, expected) => expect(clean(text)?.text).toBe(expected))

test.each([
  ['{\\an8}Top', 'Top', 'line:0'],
  ['{\\fad(1,2)\\an7\\i1}Top{\\i0}', 'Top', 'line:0'],
  ['{\\an2}Below {really}', 'Below {really}', ''],
  ['{{\\a}\\an8}x', '{an8}x', ''],
  ['{<x>\\an8}x', 'x', 'line:0'],
])('styles of another format are hidden: %j', (text, expected, settings) =>
  expect(clean(text)).toMatchObject({ text: expected, settings }),
)

test('a line of its own goes before the top', () =>
  expect(clean('{\\an8}x', 'align:left line:50%')?.settings).toBe('line:50% align:left'))

test.each([
  ['vertical:rl line:-1,end position:12.5%,center size:100% align:start', true],
  ['line:100.00%', true],
  ['vertical:up', false],
  ['line:1.5', false],
  ['line:101%', false],
  ['position:10', false],
  ['size:-1%', false],
  ['align:top', false],
  ['constructor:x', false],
  ['onclick:alert(1)', false],
  [':', false],
])('setting %s', (settings, valid) => expect(clean('x', settings)?.settings).toBe(valid ? settings : ''))

test('a setting that is said twice counts as it was said last', () =>
  expect(clean('x', 'line:1 line:2 line:x')?.settings).toBe('line:2'))
