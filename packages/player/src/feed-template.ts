import { icon, PLAY, STYLE_TAG } from './index.ts'

const PAUSE = 'M7 5h3.500v14H7zM13.500 5H17v14h-3.500z'
const SPEAKER = 'M4 9h3.500L12 5v14l-4.500-4H4z'
const SOUND = `${SPEAKER}M14.500 8.500a4 4 0 0 1 0 7l-.8-1.600a2.200 2.200 0 0 0 0-3.800zM16.400 5a8 8 0 0 1 0 14l-.8-1.700a6.200 6.200 0 0 0 0-10.600z`
const SILENCE = `${SPEAKER}M14.600 9.700l1.300-1.300 2.300 2.300 2.300-2.300 1.300 1.300-2.300 2.300 2.300 2.300-1.300 1.300-2.300-2.300-2.300 2.300-1.300-1.300 2.300-2.300z`
const UP = 'M12 8l7 7-1.500 1.500-5.500-5.500-5.500 5.500L5 15z'
const DOWN = 'M12 16l-7-7 1.500-1.500 5.500 5.500 5.500-5.500L19 9z'

const STYLE = `
:host{--_accent:var(--marquee-accent,#fff);--_text:var(--marquee-text,#fff);--_surface:var(--marquee-surface,#17181cf2);
display:block;position:relative;height:100vh;height:100dvh;background:var(--marquee-background,#000);color:var(--_text);
border-radius:var(--marquee-radius,0);overflow:hidden;font:15px/1.4 var(--marquee-font,system-ui,sans-serif);contain:layout paint;container-type:size}
:host([hidden]),[hidden]{display:none!important}
[part=frame]{position:absolute;inset:0}
[part=scroller]{position:absolute;inset:0;overflow-x:hidden;overflow-y:scroll;scroll-snap-type:y mandatory;overscroll-behavior-y:contain;
scrollbar-width:none;touch-action:pan-y;-webkit-tap-highlight-color:transparent;outline:none}
[part=scroller]::-webkit-scrollbar{display:none}
[part=track]{position:relative;min-height:100cqh;contain:layout style}
[part=layer]{position:sticky;top:0;height:100cqh;overflow:hidden;pointer-events:none;z-index:1}
[part~=slide]{position:absolute;inset-inline:0;height:100cqh;overflow:hidden;scroll-snap-align:start;scroll-snap-stop:always;contain:strict;cursor:default;outline:none}
[part~=slide]:focus-visible::after{content:"";position:absolute;inset:3px;border:2px solid var(--_text);border-radius:6px;outline:2px solid #000;pointer-events:none}
canvas{position:absolute;inset:0;width:100%;height:100%;object-fit:cover;filter:brightness(.55);transform:scale(1.1)}
[part=stage],[part=overlay]{position:absolute;inset-block:0;left:50%;translate:-50%;width:min(100cqw,max(100cqh*var(--_ratio,.5625),56.25cqh))}
[part=stage]>:is(img,video){position:absolute;inset:0;width:100%;height:100%;object-fit:var(--marquee-fit,var(--_fit,contain))}
img{opacity:0;transition:opacity .2s}
img.ready{opacity:1}
video{opacity:0}
.started video{opacity:1}
[part=caption]{position:absolute;inset:auto 0 0;padding:72px 16px 24px;padding-bottom:max(24px,env(safe-area-inset-bottom));text-align:start;
background:linear-gradient(#0000,#0009 60%,#000b);overflow-wrap:anywhere;text-shadow:0 1px 2px #0009;pointer-events:none}
.actions [part=caption]{padding-inline-end:84px}
[part=creator]{display:block;font-weight:600;margin-bottom:2px}
[part=description]{margin:0;text-align:-webkit-match-parent;text-align:match-parent;max-width:60ch;white-space:pre-line;overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2}
.open [part=description]{-webkit-line-clamp:12}
button{all:unset;box-sizing:border-box;cursor:pointer;pointer-events:auto;-webkit-tap-highlight-color:transparent}
[part=more]{font-weight:600;min-height:24px;padding-block:2px}
[part=more]:focus-visible{outline:2px solid var(--_text);border-radius:4px}
[part=overlay]{transition:width .2s}
svg{display:block;width:24px;height:24px;fill:currentColor}
[part=frame].muted .heard,[part=frame]:not(.muted) .silent,[part=frame].paused .playing,[part=frame]:not(.paused) .halted{display:none}
[part=controls]{position:absolute;top:max(12px,env(safe-area-inset-top));inset-inline-end:12px;display:flex;gap:8px}
[part=controls] button,[part=steps] button{width:44px;height:44px;border-radius:50%;display:grid;place-items:center;background:#17181c99;transition:background .15s}
:is([part=controls],[part=steps]) button:hover{background:#17181ce6}
:is([part=controls],[part=steps]) button:focus-visible{outline:2px solid var(--_text);outline-offset:2px;box-shadow:0 0 0 6px #000}
[part=frame]:not(.video) [part=controls]{display:none}
[part=steps]{position:absolute;top:50%;inset-inline-end:12px;translate:0 -50%;display:grid;gap:12px}
[part=steps] button[aria-disabled=true]{opacity:.4;cursor:default}
@media not ((hover:hover) and (pointer:fine)){[part=steps]:not(:focus-within){clip-path:inset(50%);width:1px;height:1px;overflow:hidden}}
@container (max-width:479px){[part=steps]:not(:focus-within){clip-path:inset(50%);width:1px;height:1px;overflow:hidden}}
[part=play],[part=spinner]{position:absolute;inset:0;margin:auto;pointer-events:none;box-sizing:border-box}
[part=play]{width:72px;height:72px;border-radius:50%;display:grid;place-items:center;background:#17181c99;opacity:0;scale:1.3;transition:opacity .15s,scale .15s}
[part=play] svg{width:36px;height:36px}
.paused [part=play]{opacity:1;scale:1}
[part=spinner]{width:44px;height:44px;border-radius:50%;border:4px solid #ffffff4d;border-top-color:var(--_text);opacity:0}
.waiting [part=spinner]{opacity:1;transition:opacity .2s .35s;animation:spin .9s linear infinite}
@keyframes spin{to{rotate:1turn}}
[part=progress]{position:absolute;inset:auto 0 0;height:3px;background:#ffffff4d;direction:ltr}
[part=progress] div{height:100%;background:var(--_accent);transform-origin:0 0;transform:scaleX(0);transition:transform .25s linear}
[part=frame]:not(.video) [part=progress]{visibility:hidden}
[part=actions]{position:absolute;inset-block-end:24px;inset-inline-end:12px;display:grid;gap:12px;justify-items:center;pointer-events:auto}
[part=note]{position:absolute;top:16px;left:50%;translate:-50%;padding:8px 14px;border-radius:10px;background:var(--_surface);white-space:nowrap}
[part=note]:empty{display:none}
[part=empty],[part=error]{position:absolute;inset:0;display:grid;place-content:center;justify-items:center;gap:16px;padding:24px;box-sizing:border-box;text-align:center}
[part=error]{background:#101114d9}
:is([part=empty],[part=error]) p{margin:0;font-size:17px;font-weight:600;text-wrap:balance}
[part=error] small{font-size:12px;opacity:.8;user-select:text;overflow-wrap:anywhere}
[part=retry]{min-height:44px;padding:0 20px;border-radius:8px;background:var(--_text);color:#17181c;font-weight:600}
[part=retry]:focus-visible{outline:2px solid var(--_text);outline-offset:3px}
@media (prefers-reduced-motion:reduce){*{transition:none!important}[part=spinner]{animation-duration:3s!important}}
@media (forced-colors:active){button,[part=play]{border:1px solid}}
`

const ERROR =
  '<div part="error" role="alert" hidden><p></p><small></small><button part="retry" type="button"></button></div>'

/** One post. */
export const SLIDE: string = `<article part="slide">
<canvas aria-hidden="true" width="1" height="1"></canvas>
<div part="stage"><img alt="" decoding="async" draggable="false">
<div part="caption"><strong part="creator"></strong><p part="description" dir="auto"></p><button part="more" type="button" hidden></button></div>
${ERROR}</div></article>`

/** Without words: those come in the language of the page. */
export const FEED: string = `${STYLE_TAG}${STYLE}</style>
<div part="frame">
<div part="scroller"><div part="track">
<div role="feed" aria-busy="true"><article part="slide pending" aria-setsize="-1">${ERROR}</article></div>
<div part="layer">
<div part="overlay">
<div part="play" aria-hidden="true">${icon(PLAY)}</div><div part="spinner"></div>
<div part="controls"><button part="toggle" type="button"><span class="playing">${icon(PAUSE)}</span><span class="halted">${icon(PLAY)}</span></button>
<button part="mute" type="button"><span class="heard">${icon(SOUND)}</span><span class="silent">${icon(SILENCE)}</span></button></div>
<div part="actions"><slot name="actions"></slot></div>
<div part="progress" aria-hidden="true"><div></div></div>
</div>
<div part="steps"><button part="previous" type="button">${icon(UP)}</button><button part="next" type="button">${icon(DOWN)}</button></div>
</div></div></div>
<div part="empty" hidden><slot name="empty"><p></p></slot></div>
<div part="note" role="status"></div>
</div>`
