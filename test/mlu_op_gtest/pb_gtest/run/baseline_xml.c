/* SPDX-License-Identifier: MIT
 *
 * Baseline files as XML, by libxml2. */
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "run/baseline_file.h"

typedef void (*PropertyVisit)(void *arg, const char *name, const char *value);

static void visit_properties(xmlNode *node, PropertyVisit visit, void *arg) {
  for (xmlAttr *attribute = node->properties; attribute; attribute = attribute->next) {
    xmlChar *value = xmlGetProp(node, attribute->name);
    if (value) {
      visit(arg, (const char *)attribute->name, (const char *)value);
    }
    xmlFree(value);
  }
  for (xmlNode *child = node->children; child; child = child->next) {
    if (child->type != XML_ELEMENT_NODE) {
      continue;
    }
    if (!xmlStrcmp(child->name, BAD_CAST "properties")) {
      visit_properties(child, visit, arg);
    } else if (!xmlStrcmp(child->name, BAD_CAST "property")) {
      xmlChar *name = xmlGetProp(child, BAD_CAST "name");
      xmlChar *value = xmlGetProp(child, BAD_CAST "value");
      if (name && value) {
        visit(arg, (const char *)name, (const char *)value);
      }
      xmlFree(name);
      xmlFree(value);
    }
  }
}

typedef struct CaseNames {
  char op_name[128];
  char case_name[512];
} CaseNames;

static void take_names(void *arg, const char *name, const char *value) {
  CaseNames *names = arg;
  if (!strcmp(name, "op_name")) {
    snprintf(names->op_name, sizeof(names->op_name), "%s", value);
  } else if (!strcmp(name, "case_path")) {
    snprintf(names->case_name, sizeof(names->case_name), "%s", mluop_path_base(value));
  }
}

typedef struct TakeNumbers {
  mluopBaselineFile *file;
  const char *key;
} TakeNumbers;

static void take_number(void *arg, const char *name, const char *value) {
  const TakeNumbers *take = arg;
  char *end = NULL;
  const double number = strtod(value, &end);
  if (end != value && !*end) {
    mluop_baseline_file_set(take->file, take->key, name, number);
  }
}

typedef void (*CaseVisit)(void *arg, xmlNode *node, const char *key);

/* Every test case at or below `node` and its neighbours that says which case file it ran. */
static void visit_cases(xmlNode *node, CaseVisit visit, void *arg) {
  for (; node; node = node->next) {
    if (node->type != XML_ELEMENT_NODE) {
      continue;
    }
    if (xmlStrcmp(node->name, BAD_CAST "testcase")) {
      visit_cases(node->children, visit, arg);
      continue;
    }
    CaseNames names = {0};
    visit_properties(node, take_names, &names);
    char *key = mluop_text_format("%s/%s", names.op_name, names.case_name);
    if (key && names.case_name[0]) {
      visit(arg, node, key);
    }
    free(key);
  }
}

static void read_case(void *arg, xmlNode *node, const char *key) {
  visit_properties(node, take_number, &(TakeNumbers){arg, key});
}

static void mark_unchanged(mluopBaselineFile *file) {
  for (size_t i = 0; i < file->n; ++i) {
    for (size_t k = 0; k < file->cases[i].n; ++k) {
      file->cases[i].numbers[k].changed = false;
    }
  }
}

static xmlDoc *parse_file(const char *path, mluopTestText *errors) {
  xmlDoc *document =
      xmlReadFile(path, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  if (!document) {
    const xmlError *error = xmlGetLastError();
    mluop_text_add(errors, "%s:%d: %s\n", path, error ? error->line : 0,
                   error && error->message ? error->message : "not XML");
  }
  return document;
}

int mluop_baseline_file_read(mluopBaselineFile *file, const char *path, mluopTestText *errors) {
  *file = (mluopBaselineFile){0};
  if (!mluop_path_exists(path)) {
    return 0;
  }
  xmlDoc *document = parse_file(path, errors);
  if (!document) {
    return -1;
  }
  visit_cases(xmlDocGetRootElement(document), read_case, file);
  mark_unchanged(file);
  xmlFreeDoc(document);
  return 0;
}

static void add_property(xmlNode *node, const char *name, const char *value) {
  xmlNode *property = xmlNewChild(node, NULL, BAD_CAST "property", NULL);
  if (property) {
    xmlNewProp(property, BAD_CAST "name", BAD_CAST name);
    xmlNewProp(property, BAD_CAST "value", BAD_CAST value);
  }
}

/* Wherever `node` has the number: as an attribute or as a property. */
static bool replace_number(xmlNode *node, const char *name, const char *value) {
  bool found = xmlHasProp(node, BAD_CAST name) != NULL;
  if (found) {
    xmlSetProp(node, BAD_CAST name, BAD_CAST value);
  }
  for (xmlNode *child = node->children; child; child = child->next) {
    if (child->type != XML_ELEMENT_NODE) {
      continue;
    }
    if (!xmlStrcmp(child->name, BAD_CAST "properties")) {
      found |= replace_number(child, name, value);
    } else if (!xmlStrcmp(child->name, BAD_CAST "property")) {
      xmlChar *child_name = xmlGetProp(child, BAD_CAST "name");
      if (!xmlStrcmp(child_name, BAD_CAST name)) {
        xmlSetProp(child, BAD_CAST "value", BAD_CAST value);
        found = true;
      }
      xmlFree(child_name);
    }
  }
  return found;
}

static void write_numbers(xmlNode *node, const mluopBaselineCase *item) {
  for (size_t i = 0; i < item->n; ++i) {
    const mluopBaselineNumber *number = &item->numbers[i];
    char value[64];
    snprintf(value, sizeof(value), "%.17g", number->value);
    if (number->changed && !replace_number(node, number->name, value)) {
      add_property(node, number->name, value);
    }
  }
}

static void write_known_case(void *arg, xmlNode *node, const char *key) {
  mluopBaselineFile *file = arg;
  for (size_t i = 0; i < file->n; ++i) {
    if (!strcmp(file->cases[i].key, key)) {
      write_numbers(node, &file->cases[i]);
      file->cases[i].in_file = true;
    }
  }
}

static bool has_changes(const mluopBaselineFile *file) {
  for (size_t i = 0; i < file->n; ++i) {
    for (size_t k = 0; k < file->cases[i].n; ++k) {
      if (file->cases[i].numbers[k].changed) {
        return true;
      }
    }
  }
  return false;
}

static void write_new_case(xmlNode *root, const mluopBaselineCase *item) {
  xmlNode *node = xmlNewChild(root, NULL, BAD_CAST "testcase", NULL);
  const char *slash = strchr(item->key, '/');
  char *op_name = mluop_text_format("%.*s", (int)(slash - item->key), item->key);
  if (node && op_name) {
    xmlNewProp(node, BAD_CAST "op_name", BAD_CAST op_name);
    xmlNewProp(node, BAD_CAST "case_path", BAD_CAST(slash + 1));
    write_numbers(node, item);
  }
  free(op_name);
}

static xmlDoc *new_document(const char *path, mluopTestText *errors) {
  xmlDoc *document = xmlNewDoc(BAD_CAST "1.0");
  xmlNode *root = document ? xmlNewNode(NULL, BAD_CAST "testsuites") : NULL;
  if (!root) {
    xmlFreeDoc(document);
    mluop_text_add(errors, "%s: out of memory", path);
    return NULL;
  }
  xmlDocSetRootElement(document, root);
  return document;
}

int mluop_baseline_file_write(mluopBaselineFile *file, const char *path, mluopTestText *errors) {
  if (!has_changes(file)) {
    return 0;
  }
  xmlDoc *document =
      mluop_path_exists(path) ? parse_file(path, errors) : new_document(path, errors);
  if (!document) {
    return -1;
  }
  xmlNode *root = xmlDocGetRootElement(document);
  visit_cases(root, write_known_case, file);
  for (size_t i = 0; i < file->n; ++i) {
    if (!file->cases[i].in_file) {
      write_new_case(root, &file->cases[i]);
    }
  }
  xmlChar *text = NULL;
  int size = 0;
  xmlDocDumpFormatMemory(document, &text, &size, 1);
  const int failed =
      text ? mluop_file_write_all(path, (const char *)text, (size_t)size, errors) : -1;
  xmlFree(text);
  xmlFreeDoc(document);
  return failed;
}
