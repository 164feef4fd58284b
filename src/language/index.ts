export {chosenLanguage, language, languages, type Language} from './choose.ts';
export {en, enCount, told, type Tag, type Told} from './translate.ts';
export {endSentence, t, tCount, translated} from './translate.ts';
