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

static void read_cases(mluopBaselineFile *file, xmlNode *node) {
  for (; node; node = node->next) {
    if (node->type != XML_ELEMENT_NODE) {
      continue;
    }
    if (xmlStrcmp(node->name, BAD_CAST "testcase")) {
      read_cases(file, node->children);
      continue;
    }
    CaseNames names = {0};
    visit_properties(node, take_names, &names);
    char *key = mluop_text_format("%s/%s", names.op_name, names.case_name);
    if (key && names.case_name[0]) {
      visit_properties(node, take_number, &(TakeNumbers){file, key});
    }
    free(key);
  }
}

int mluop_baseline_file_read(mluopBaselineFile *file, const char *path, mluopTestText *errors) {
  *file = (mluopBaselineFile){0};
  if (!mluop_path_exists(path)) {
    return 0;
  }
  xmlDoc *document =
      xmlReadFile(path, NULL, XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  if (!document) {
    const xmlError *error = xmlGetLastError();
    mluop_text_add(errors, "%s:%d: %s\n", path, error ? error->line : 0,
                   error && error->message ? error->message : "not XML");
    return -1;
  }
  read_cases(file, xmlDocGetRootElement(document));
  xmlFreeDoc(document);
  return 0;
}

int mluop_baseline_file_write(const mluopBaselineFile *file, const char *path,
                              mluopTestText *errors) {
  xmlDoc *document = xmlNewDoc(BAD_CAST "1.0");
  xmlNode *root = document ? xmlNewNode(NULL, BAD_CAST "testsuites") : NULL;
  if (!root) {
    xmlFreeDoc(document);
    mluop_text_add(errors, "%s: out of memory", path);
    return -1;
  }
  xmlDocSetRootElement(document, root);
  for (size_t i = 0; i < file->n; ++i) {
    const mluopBaselineCase *item = &file->cases[i];
    xmlNode *node = xmlNewChild(root, NULL, BAD_CAST "testcase", NULL);
    const char *slash = strchr(item->key, '/');
    if (!node || !slash) {
      continue;
    }
    char *op_name = mluop_text_format("%.*s", (int)(slash - item->key), item->key);
    xmlNewProp(node, BAD_CAST "op_name", BAD_CAST(op_name ? op_name : ""));
    xmlNewProp(node, BAD_CAST "case_path", BAD_CAST(slash + 1));
    free(op_name);
    for (size_t k = 0; k < item->n; ++k) {
      char value[64];
      snprintf(value, sizeof(value), "%.17g", item->numbers[k].value);
      xmlNode *property = xmlNewChild(node, NULL, BAD_CAST "property", NULL);
      if (property) {
        xmlNewProp(property, BAD_CAST "name", BAD_CAST item->numbers[k].name);
        xmlNewProp(property, BAD_CAST "value", BAD_CAST value);
      }
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
