import {limitSettings} from './limit-settings.ts';
import {modelSettings} from './model-settings.ts';
import {screenSettings} from './screen-settings.ts';
import type {Setting} from './setting.ts';

/** Every key of config.toml and inkpod.toml, in the order of docs/settings.md. */
export const allSettings: readonly Setting[] = [...modelSettings, ...limitSettings, ...screenSettings];
