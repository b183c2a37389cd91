import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  placeOf,
  readOptions,
  readProperties,
  readTheme,
} from '../../../src/ui/card-fields/card-fields-options.ts';

class FakeElement {}
const place = new FakeElement();

beforeEach(() => {
  vi.stubGlobal('Element', FakeElement);
  vi.stubGlobal('document', {
    querySelector: (selector: string) => (selector === '#card-fields' ? place : null),
  });
});
afterEach(() => vi.unstubAllGlobals());

const callback = () => {};
const none = {
  '--ink': '',
  '--ink-soft': '',
  '--card': '',
  '--accent': '',
  '--accent-ink': '',
  '--line': '',
  '--line-strong': '',
  '--bad': '',
  'font-family': '',
  'font-size': '',
};

describe('the options of CollectJS.configure', () => {
  it('are only a callback in the simplest case', () => {
    expect(readOptions({ callback, onChange: 'none', other: 1 })).toEqual({
      callback,
      onChange: undefined,
      target: undefined,
      appearance: undefined,
      hasButton: true,
    });
  });

  it('keep what is given', () => {
    const onChange = () => {};
    const appearance = { theme: 'dark' };
    const options = readOptions({ callback, onChange, target: '#left', appearance, button: false });
    expect(options).toEqual({ callback, onChange, target: '#left', appearance, hasButton: false });
    expect(readOptions({ callback, target: place }).target).toBe(place);
    expect(readOptions({ callback, button: null }).hasButton).toBe(true);
  });

  it.each<readonly [given: unknown, message: RegExp]>([
    [undefined, /expected callback to be a function, got undefined/],
    [null, /expected callback to be a function, got undefined/],
    [{ callback: 'pay' }, /expected callback to be a function, got string/],
    [{ callback, target: 1 }, /expected target to be an element or a selector, got number/],
    [{ callback, target: null }, /expected target to be an element or a selector, got object/],
    [{ callback, appearance: { theme: 'blue' } }, /appearance\.theme/],
    [{ callback, appearance: { fontSize: 11 } }, /appearance\.fontSize/],
  ])('refuse %j', (given, message) => {
    expect(() => readOptions(given)).toThrow(message);
  });

  it('find their place: the default one, an element, a selector, and no selector of nothing', () => {
    expect(placeOf(undefined)).toBe(place);
    expect(placeOf('#card-fields')).toBe(place);
    vi.stubGlobal('document', { querySelector: () => null });
    expect(placeOf(undefined)).toBeNull();
    expect(() => placeOf('#no')).toThrow(/expected target to select an element, got '#no'/);
  });
});

describe('the appearance of the card fields', () => {
  it.each(['auto', 'light', 'dark'])('has the theme %s', (theme) => {
    expect(readTheme({ theme })).toBe(theme);
  });

  it('follows the page without a theme', () => {
    expect([readTheme(undefined), readTheme({}), readTheme(null)]).toEqual(['auto', 'auto', 'auto']);
  });

  it.each<readonly [appearance: unknown, properties: object]>([
    [undefined, {}],
    [{}, {}],
    [{ colors: { text: '#FAFAFA' } }, { '--ink': '#FAFAFA', '--ink-soft': '#FAFAFA' }],
    [{ colors: { background: '#123' } }, { '--card': '#123' }],
    [{ colors: { border: '#8899aa' } }, { '--line': '#8899aa', '--line-strong': '#8899aa' }],
    [{ colors: { error: '#ff9999' } }, { '--bad': '#ff9999' }],
    // The text on the accent has the better contrast of black and white.
    [{ colors: { accent: '#fc0' } }, { '--accent': '#fc0', '--accent-ink': '#000000' }],
    [{ colors: { accent: '#1f5fbf' } }, { '--accent': '#1f5fbf', '--accent-ink': '#ffffff' }],
    [{ colors: { accent: '#757575' } }, { '--accent': '#757575', '--accent-ink': '#ffffff' }],
    [{ colors: { accent: '#767676' } }, { '--accent': '#767676', '--accent-ink': '#000000' }],
    [{ colors: { accent: '#f00' } }, { '--accent': '#f00', '--accent-ink': '#000000' }],
    [{ colors: { accent: '#0000ff' } }, { '--accent': '#0000ff', '--accent-ink': '#ffffff' }],
    [{ fontFamily: "Georgia, 'Noto Serif'" }, { 'font-family': "Georgia, 'Noto Serif'" }],
    [{ fontSize: 12 }, { 'font-size': '12px' }],
    [{ fontSize: 24 }, { 'font-size': '24px' }],
  ])('of %j sets only what is given, and removes the rest', (appearance, properties) => {
    expect(readProperties(appearance)).toEqual({ ...none, ...properties });
  });

  it.each<readonly [appearance: unknown, message: RegExp]>([
    [{ colors: { text: 'red; } body { display: none' } }, /expected appearance\.colors\.text to be a colour/],
    [{ colors: { accent: 'url(https://evil.example)' } }, /appearance\.colors\.accent/],
    [{ colors: { background: '#12345' } }, /appearance\.colors\.background/],
    [{ colors: { border: '#1234567' } }, /appearance\.colors\.border/],
    [{ colors: { error: '#123\n' } }, /appearance\.colors\.error/],
    [{ colors: { text: 0x12_34_56 } }, /appearance\.colors\.text .*got number/],
    [{ colors: { shadow: '#000' } }, /expected appearance\.colors to have text, background/],
    [{ colors: '#000' }, /expected appearance\.colors to be an object, got string/],
    [{ colors: null }, /expected appearance\.colors to be an object/],
    [{ fontFamily: 'x; color: red' }, /appearance\.fontFamily/],
    [{ fontFamily: 'x'.repeat(201) }, /appearance\.fontFamily/],
    [{ fontFamily: '' }, /appearance\.fontFamily/],
    [{ fontSize: '16px' }, /expected appearance\.fontSize to be a number of px from 12 to 24, got string/],
    [{ fontSize: 11.9 }, /appearance\.fontSize/],
    [{ fontSize: 24.1 }, /appearance\.fontSize/],
    [{ fontSize: Number.NaN }, /appearance\.fontSize/],
    [{ css: '* {}' }, /expected appearance to have theme, fontFamily/],
    ['dark', /expected appearance to be an object/],
  ])('refuses %j without repeating its value', (appearance, message) => {
    const read = () => readProperties(appearance);
    expect(read).toThrow(TypeError);
    expect(read).toThrow(message);
    expect(read).not.toThrow(/display|evil|#12345|shadow|\* \{|color: red/);
  });
});
