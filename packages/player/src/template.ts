import { STYLE_TAG } from './host.ts'

export const icon = (path: string): string =>
  `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`

export const PLAY = 'M8 5v14q0 1 1 1l11-7q1-1 0-2L9 4Q8 4 8 5z'
const GEAR =
  'M14 3l1 3 3-1 2 2-1 3 3 1v3l-3 1 1 3-2 2-3-1-1 3h-3l-1-3-3 1-2-2 1-3-3-1v-3l3-1-1-3 2-2 3 1 1-3zM12.5 9a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z'

const STYLE = `
:host{--_accent:var(--marquee-accent,#5b9dff);--_text:var(--marquee-text,#fff);--_surface:var(--marquee-surface,#17181cf2);
display:block;position:relative;aspect-ratio:16/9;background:var(--marquee-background,#000);color:var(--_text);
border-radius:var(--marquee-radius,0);overflow:hidden;font:14px/1.4 var(--marquee-font,system-ui,sans-serif);contain:layout paint}
:host([hidden]),[hidden]{display:none!important}
media-controller{display:block;width:100%;height:100%;position:relative;
--media-background-color:transparent;--media-primary-color:var(--_text);--media-secondary-color:transparent;
--media-control-background:transparent;--media-control-hover-background:#ffffff1f;--media-range-bar-color:var(--_accent);
--media-range-track-background:#ffffff4d;--media-time-range-buffered-color:#ffffff59;--media-focus-box-shadow:inset 0 0 0 2px var(--_text);
--media-font:500 13px/24px var(--marquee-font,system-ui,sans-serif);--media-tooltip-display:none;
--media-preview-background:#17181c;--media-preview-border-radius:4px;--media-box-arrow-display:none;
--media-preview-transition-delay-in:0s;--media-preview-transition-duration-in:.1s;--media-control-transition-out:opacity .3s}
video,[part=poster],[part=poster]>*{position:absolute;inset:0;width:100%;height:100%;object-fit:var(--marquee-fit,contain)}
[part=poster]{pointer-events:none}
[part=poster] img{opacity:0;transition:opacity .2s}
[part=poster] img.ready{opacity:1}
:host([started]) [part=poster]{visibility:hidden}
video::-webkit-media-text-track-container{transition:transform .2s}
:host(:not([nocontrols])) media-controller:is([mediapaused],:not([userinactive])) video::-webkit-media-text-track-container{transform:translateY(-72px)}
button{all:unset;box-sizing:border-box;cursor:pointer;pointer-events:auto}
button:focus-visible{outline:2px solid var(--_text);outline-offset:-2px}
svg{display:block;width:24px;height:24px;fill:currentColor}
[part=play]{position:absolute;inset:0;margin:auto;width:72px;height:72px;border-radius:50%;display:grid;place-items:center;
background:#17181ccc;transition:transform .15s,background .15s}
[part=play] svg{width:36px;height:36px}
[part=play]:hover{background:#17181c;transform:scale(1.06)}
:host(:is([started],[failed])) [part=play]{display:none}
[part=heading]{position:absolute;inset:0 0 auto;padding:12px 16px 36px;font-weight:600;font-size:16px;line-height:1.4;
background:linear-gradient(#000000b3,#0000);text-align:start;pointer-events:none;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
[part=controls]{position:absolute;inset:auto 0 0;line-height:1;padding:48px 8px 4px;box-sizing:border-box;pointer-events:none!important;
background:linear-gradient(#0000,#000000bf)}
[part=controls]>*{pointer-events:auto}
:host(:not([started])) [part=controls],:host([nocontrols]) [part=controls],:host([nocontrols]) [part=heading]{display:none}
media-time-range{display:flex;width:auto;margin:0 8px;height:24px;--media-range-padding:0px;--media-control-hover-background:transparent;
--media-range-thumb-width:14px;--media-range-thumb-height:14px;--media-range-track-border-radius:2px;
--media-range-thumb-background:var(--_accent)}
media-control-bar{display:flex;align-items:center}
media-control-bar>*{border-radius:6px}
media-volume-range{width:0;opacity:0;overflow:hidden;transition:width .15s,opacity .15s;--media-range-bar-color:var(--_text)}
@media (hover:hover){media-mute-button:hover+media-volume-range,media-volume-range:hover{width:84px;opacity:1}}
media-mute-button:focus-visible+media-volume-range,media-volume-range:focus-within{width:84px;opacity:1}
media-time-display{font-variant-numeric:tabular-nums;pointer-events:none}
[part=chapter]{flex:1;min-width:0;font-size:13px;line-height:24px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis;opacity:.9;text-align:start}
[part=settings]{width:44px;height:44px;display:grid;place-items:center}
media-airplay-button[mediaairplayunavailable],media-cast-button[mediacastunavailable],media-pip-button[mediapipunavailable],
media-fullscreen-button[mediafullscreenunavailable],media-captions-button:not([mediasubtitleslist]),
media-controller:not([breakpointmd]) :is(media-pip-button,[part=chapter] span){display:none}
[part=menu]{position:absolute;bottom:60px;right:12px;min-width:220px;max-width:calc(100% - 24px);max-height:calc(100% - 76px);
overflow:auto;box-sizing:border-box;padding:6px;border-radius:10px;background:var(--_surface);box-shadow:0 8px 28px #0006;line-height:1.4;z-index:1}
media-controller:not([breakpointmd]) [part=menu]{bottom:8px;max-height:calc(100% - 16px)}
[part=menu]:popover-open{position:fixed;inset:auto 0 0!important;width:100%;max-width:none;max-height:70dvh!important;margin:0;border:0;
padding:8px 8px max(8px,env(safe-area-inset-bottom));border-radius:14px 14px 0 0;color:inherit;overscroll-behavior:contain}
[part=menu]::backdrop{background:#0008}
[part~=menu-item]{display:flex;align-items:center;gap:12px;width:100%;min-height:44px;padding:0 12px;border-radius:6px;text-align:start}
[part=settings]:hover,[part~=menu-item]:is(:hover,:focus-visible){background:#ffffff1f}
[part~=menu-item]::before{content:"";width:0;flex:none}
[role=menuitemradio]::before{width:16px;text-align:center}
[part~=menu-item][aria-checked=true]::before{content:"✓" / ""}
[part~=value]{margin-inline-start:auto;opacity:.75}
[part~=value]::after,[part~=back]::before{content:"";display:inline-block;width:7px;height:7px;margin-inline:8px 2px;
border:solid currentColor;border-width:2px 2px 0 0;rotate:45deg}
[part~=back]{font-weight:600}
[part~=back]::before{rotate:225deg;margin-inline:4px 1px;width:7px}
:host(:dir(rtl)) [part~=value]::after{rotate:225deg}
:host(:dir(rtl)) [part~=back]::before{rotate:45deg}
[part=spinner]{position:absolute;inset:0;margin:auto;width:44px;height:44px;border-radius:50%;border:4px solid #ffffff4d;border-top-color:var(--_text);
box-sizing:border-box;pointer-events:none!important;opacity:0}
:host([waiting]) [part=spinner]{opacity:1;transition:opacity .2s .35s;animation:spin .9s linear infinite}
@keyframes spin{to{rotate:1turn}}
[part=note]{position:absolute;top:16px;left:50%;translate:-50%;padding:8px 14px;border-radius:10px;background:var(--_surface);line-height:1.4}
[part=note]:empty{display:none}
[part=error]{position:absolute;inset:0;display:grid;place-content:center;justify-items:center;gap:12px;padding:16px;box-sizing:border-box;
text-align:center;background:#101114e6;line-height:1.4}
[part=error] p{margin:0;font-size:16px;font-weight:600}
[part=error] small{font-size:12px;opacity:.75;user-select:text;overflow-wrap:anywhere}
[part=retry]{min-height:44px;padding:0 20px;border-radius:8px;background:var(--_text);color:#17181c;font-weight:600}
[part=play]:focus-visible,[part=retry]:focus-visible{outline-offset:3px}
@media (prefers-reduced-motion:reduce){*{transition:none!important}[part=spinner]{animation-duration:3s!important}[part=play]:hover{transform:none}}
@media (forced-colors:active){[part=play],[part=settings],[part~=menu-item],[part=retry]{border:1px solid}}
`

/** Without words: those come in the language of the page. */
export const TEMPLATE: string = `${STYLE_TAG}${STYLE}</style>
<media-controller part="controller" nohotkeys novolumepref nomutedpref nosubtitleslangpref breakpoints="md:480">
<video slot="media" part="video" playsinline crossorigin preload="none" tabindex="-1"></video>
<div slot="poster" part="poster"><canvas hidden></canvas><img alt="" hidden></div>
<div slot="top-chrome" part="heading" hidden></div>
<button slot="centered-chrome" part="play" type="button" noautohide>${icon(PLAY)}</button>
<div slot="centered-chrome" part="spinner" noautohide></div>
<div part="controls" dir="ltr">
<media-time-range part="timeline"></media-time-range>
<media-control-bar part="bar">
<media-play-button></media-play-button><media-mute-button></media-mute-button><media-volume-range></media-volume-range>
<media-time-display showduration notoggle></media-time-display>
<span part="chapter"><span></span></span>
<media-captions-button></media-captions-button>
<button part="settings" type="button" aria-haspopup="menu" aria-expanded="false" hidden>${icon(GEAR)}</button>
<media-pip-button></media-pip-button><media-airplay-button></media-airplay-button><media-cast-button></media-cast-button>
<media-fullscreen-button></media-fullscreen-button>
</media-control-bar>
</div>
<div part="menu" role="menu" noautohide hidden></div>
<div part="note" role="status" noautohide></div>
<div part="error" role="alert" noautohide hidden><p></p><small></small><button part="retry" type="button"></button></div>
</media-controller>`
