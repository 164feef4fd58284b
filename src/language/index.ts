export {chosenLanguage, language, languages, type Language} from './choose.ts';
export {en, enCount, inLanguage, nested} from './record.ts';
export {endSentence, t, tCount, translated} from './translate.ts';
